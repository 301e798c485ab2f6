/// <reference lib="dom" />
// npm run check:keycloak
//
// Logs users in at a real Keycloak, with a real browser: login, groups, key rotation, logout in both directions.
import { execFileSync } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from '../../test/console/console-browser.js';
import { clientId, clientSecret, Keycloak } from './keycloak.js';

const folder = join(homedir(), '.cache', 'quire-keycloak');
execFileSync('sh', [fileURLToPath(new URL('install.sh', import.meta.url)), folder], { stdio: 'inherit' });

const ada = { username: 'ada', password: 'the-password-of-ada', groups: ['quire-admins', 'accounting'] };
const bob = { username: 'bob', password: 'the-password-of-bob', groups: ['accounting'] };

let failed = 0;
let passed = 0;
const check = async (what: string, got: () => Promise<unknown>, wanted: unknown): Promise<void> => {
  const found = await got().catch((error: unknown) => String(error));
  const right = isDeepStrictEqual(found, wanted);
  if (right) passed += 1;
  else failed += 1;
  console.log(`${right ? 'passed' : 'FAILED'}  ${what}${right ? '' : `: ${JSON.stringify(found)}`}`);
};

const keycloak = await Keycloak.prepare(join(folder, 'keycloak'));
const oauth2 = {
  enabled: true,
  groupRoles: ['quire-admins=ROLE_ADMIN'],
  groupTeams: ['accounting=Accounting'],
  client: { keycloak: { issuer: keycloak.issuer, clientId, clientSecret } },
};
const initialLogin = { username: 'first', password: 'the-password-of-the-first' };
const browser = await openConsole({ settings: { security: { enableLogin: true, initialLogin, oauth2 } } });
if (browser === undefined) throw new Error('no Chromium is installed');
try {
  await keycloak.start(browser.url, [ada, bob], join(tmpdir(), 'quire-keycloak.log'));
  await run(browser);
} finally {
  await browser.stop();
  await keycloak.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(quire: ConsoleBrowser): Promise<void> {
  let page = await quire.open('account');
  await check('ada logs in at Keycloak, and is an administrator by a group', () => logIn(page, ada), {
    username: 'ada',
    role: 'ROLE_ADMIN',
    team: 'Accounting',
  });
  await check('a logout goes to Keycloak and comes back', () => logOut(page), `${quire.url}/login?logout=true`);
  await page.close();

  page = await quire.open('account');
  await check('Keycloak asks for the password again, and bob logs in', () => logIn(page, bob), {
    username: 'bob',
    role: 'ROLE_USER',
    team: 'Accounting',
  });
  const [user] = (await keycloak.administer('GET', 'users?username=bob')) as { readonly id: string }[];
  await keycloak.administer('POST', `users/${user?.id}/logout`);
  await check('a logout at Keycloak ends the session here', () => status(page), 401);
  await forget(page);

  await keycloak.administer('POST', 'components', {
    name: 'newer-keys',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['200'], active: ['true'], enabled: ['true'] },
  });
  page = await quire.open('account');
  await check('a login with new keys', () => logIn(page, ada), {
    username: 'ada',
    role: 'ROLE_ADMIN',
    team: 'Accounting',
  });
  await forget(page);

  const groups = (await keycloak.administer('GET', 'groups')) as { readonly id: string; readonly name: string }[];
  const [adaThere] = (await keycloak.administer('GET', 'users?username=ada')) as { readonly id: string }[];
  for (const { id, name } of groups)
    if (name === 'accounting') await keycloak.administer('DELETE', `users/${adaThere?.id}/groups/${id}`);
  page = await quire.open('account');
  await check('the team goes with the group', () => logIn(page, ada), {
    username: 'ada',
    role: 'ROLE_ADMIN',
    team: 'Default',
  });
  await forget(page);

  await keycloak.administer('PUT', `users/${user?.id}`, { enabled: false });
  page = await quire.open('account');
  await press(page, 'Log in with Keycloak');
  await fill(page, bob);
  await check(
    'Keycloak keeps a disabled user out',
    () => text(page, '#input-error, .kc-feedback-text, [id*=error]'),
    true,
  );
}

async function logIn(page: Page, user: { readonly username: string; readonly password: string }): Promise<unknown> {
  await press(page, 'Log in with Keycloak');
  await fill(page, user);
  await page.waitForSelector('.account .line');
  return page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('quire.session') ?? '{}') as { token: string };
    const answer = await fetch('api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } });
    const { user: me } = (await answer.json()) as {
      user: { username: string; role: string; team?: { name: string } };
    };
    return { username: me.username, role: me.role, team: me.team?.name };
  });
}

async function fill(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.waitForSelector('input[name=username]:not(dialog *)');
  await page.waitForFunction(() => document.querySelector('dialog') === null);
  await page.type('input[name=username]', username);
  await page.type('input[name=password]', password);
  await page.click('[type=submit]');
}

async function logOut(page: Page): Promise<string> {
  await page.click('.account-button');
  await page.waitForSelector('[role=menuitem]');
  await page.click('[role=menuitem]:last-child');
  await page.waitForFunction(() => location.pathname === '/login' && location.search === '?logout=true');
  return page.url();
}

async function status(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('quire.session') ?? '{}') as { token: string };
    return (await fetch('api/v1/auth/me', { headers: { authorization: `Bearer ${token}` } })).status;
  });
}

async function press(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll('button')].some(({ textContent }) => textContent.includes(wanted)),
    {},
    words,
  );
  for (const button of await page.$$('button'))
    if ((await button.evaluate(({ textContent }) => textContent)).includes(words)) return button.click();
}

/** Whether something is shown there. */
async function text(page: Page, selector: string): Promise<boolean> {
  await page.waitForSelector(selector);
  return (await page.$eval(selector, ({ textContent }) => textContent ?? '')).trim() !== '';
}

async function forget(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  const cookies = await page.browserContext().cookies();
  await page.browserContext().deleteCookie(...cookies);
  await page.close();
}
