/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertifiedIssuer, clientId, clientSecret } from '../http/support/certified-issuer.js';
import { bossName, bossPassword } from '../http/support/login.js';
import { PictureHost } from '../http/support/picture-host.js';
import { RedirectBrowser } from '../http/support/redirect-browser.js';
import { openConsole } from './console-browser.js';
import { openAs } from './page-words.js';
const [issuer, host] = await Promise.all([CertifiedIssuer.listen(), PictureHost.listen()]);
const client = { keycloak: { issuer: issuer.url, clientId, clientSecret } };
const b = (await openConsole({
  settings: {
    security: {
      enableLogin: true,
      initialLogin: { username: bossName, password: bossPassword },
      oauth2: { enabled: true, client },
    },
    ...host.settings,
  },
}))!;
issuer.serve(b.url, 'keycloak');
const photo = readFileSync('plugins/convert/fixtures/photo.jpg');
let token = '';
for (const u of [
  { sub: 'a', preferred_username: 'ada', name: 'Ada Lovelace', picture: host.has('/a.jpg', photo) },
  { sub: 'm', preferred_username: 'muhammad', name: 'محمد الخوارزمي' },
  {
    sub: 'l',
    preferred_username: 'long',
    name: 'A very long name of somebody who has many many names and titles, Esquire',
  },
  { sub: 'a', preferred_username: 'ada', name: 'Ada Lovelace', picture: `${host.url}/a.jpg` },
]) {
  issuer.user = u;
  const { url } = await new RedirectBrowser().visit(`${b.url}/oauth2/authorization/keycloak`, (at) =>
    at.pathname.endsWith('/auth/callback'),
  );
  token = new URLSearchParams(url.hash.slice(1)).get('access_token')!;
  await new Promise((r) => setTimeout(r, 300));
}
const out = '/tmp/w/people/shots';
const page = await openAs(b, 'account');
const setUp = (lang: string, theme: string) =>
  page.evaluate(
    (l, t) => {
      localStorage.setItem('quire.language', JSON.stringify(l));
      localStorage.setItem('quire.theme', JSON.stringify(t));
    },
    lang,
    theme,
  );
await page.evaluate(() => console.log(JSON.stringify(Object.keys(localStorage))));
console.log(await page.evaluate(() => JSON.stringify({ ...localStorage })));
const asUser = async (t: string) =>
  page.evaluate(
    (tk) =>
      localStorage.setItem(
        'quire.session',
        JSON.stringify({ kind: 'session', token: tk, expiresAt: Date.now() + 3_600_000 }),
      ),
    t,
  );
const boss = await page.evaluate(() => (JSON.parse(localStorage.getItem('quire.session')!) as { token: string }).token);
for (const [name, lang, theme, width] of [
  ['light', 'en', 'light', 1280],
  ['dark', 'de', 'dark', 1280],
  ['narrow', 'en', 'light', 390],
  ['arabic', 'ar', 'light', 1280],
] as const) {
  await page.setViewport({ width, height: 850 });
  await setUp(lang, theme);
  for (const [what, path, who] of [
    ['account', 'account', token],
    ['users', 'administration/users', boss],
    ['roles', 'administration/roles', boss],
  ] as const) {
    if (name === 'narrow' && what === 'roles') continue;
    await asUser(who);
    await page.goto(`${b.url}/${path}`);
    await new Promise((r) => setTimeout(r, 1800));
    await page.screenshot({ path: `${out}/${what}-${name}.png` });
  }
}
await b.stop();
await Promise.all([issuer.close(), host.close()]);
