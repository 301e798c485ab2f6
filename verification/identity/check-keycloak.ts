/// <reference lib="dom" />
// npm run check:keycloak
//
// Logs users in at a real Keycloak, with a real browser, by OpenID Connect and by SAML: login, groups, key rotation,
// logout in both directions.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from '../../test/console/console-browser.js';
import { openAs } from '../../test/console/page-words.js';
import { newKeyPair } from '../../test/http/support/saml-keys.js';
import { clientId, clientSecret, Keycloak } from './keycloak.js';

const folder = join(homedir(), '.cache', 'quire-keycloak');
execFileSync('sh', [fileURLToPath(new URL('install.sh', import.meta.url)), folder], { stdio: 'inherit' });

const ada = { username: 'ada', password: 'the-password-of-ada', groups: ['quire-admins', 'accounting'] };
const bob = { username: 'bob', password: 'the-password-of-bob', groups: ['accounting'] };
const carol = { username: 'carol', password: 'the-password-of-carol', groups: ['quire-admins', 'accounting'] };
const dave = { username: 'dave', password: 'the-password-of-dave', groups: ['accounting'] };
const [OIDC, SAML] = ['Log in with Keycloak', 'Log in with Company'];

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
const keys = newKeyPair('quire');
const secrets = mkdtempSync(join(tmpdir(), 'quire-check-saml-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(secrets, name), text);
  return join(secrets, name);
};
const saml2 = {
  enabled: true,
  provider: 'Company',
  idpMetadataUri: keycloak.samlMetadata,
  privateKey: file('saml.key', keys.key),
  spCert: file('saml.crt', keys.certificate),
  groupRoles: ['quire-admins=ROLE_ADMIN'],
  groupTeams: ['accounting=Accounting'],
};
const initialLogin = { username: 'first', password: 'the-password-of-the-first' };
const browser = await openConsole({ settings: { security: { enableLogin: true, initialLogin, oauth2, saml2 } } });
if (browser === undefined) throw new Error('no Chromium is installed');
try {
  const users = [ada, bob, carol, dave];
  await keycloak.start(browser.url, { users, certificate: keys.certificate }, join(tmpdir(), 'quire-keycloak.log'));
  await runSaml(browser);
  await run(browser);
} finally {
  await browser.stop();
  await keycloak.stop();
  rmSync(secrets, { recursive: true });
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

  await rotate('newer-keys', '200');
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
  await press(page, OIDC);
  await fill(page, bob);
  await check(
    'Keycloak keeps a disabled user out',
    () => text(page, '#input-error, .kc-feedback-text, [id*=error]'),
    true,
  );
}

async function runSaml(quire: ConsoleBrowser): Promise<void> {
  const wanted = { username: 'carol', role: 'ROLE_ADMIN', team: 'Accounting' };
  let page = await quire.open('account');
  await check(
    'carol logs in by SAML with an encrypted assertion, and is an administrator by a group',
    () => logIn(page, carol, SAML),
    wanted,
  );
  await check('a logout goes to Keycloak by SAML and comes back', () => logOut(page), `${quire.url}/login?logout=true`);
  await page.close();

  page = await quire.open('account');
  await check('Keycloak asks for the password again, and dave logs in by SAML', () => logIn(page, dave, SAML), {
    username: 'dave',
    role: 'ROLE_USER',
    team: 'Accounting',
  });
  const [user] = (await keycloak.administer('GET', 'users?username=dave')) as { readonly id: string }[];
  await keycloak.administer('POST', `users/${user?.id}/logout`);
  await check('a logout by an administrator of Keycloak ends the session here', () => until401(page), 401);
  await forget(page);

  page = await openAs(quire, 'administration/login-providers', initialLogin.username, initialLogin.password);
  await check(
    'a trial login reads the encrypted assertion, and logs nobody in',
    () => tryLogin(page, carol),
    'This user would get into the account carol.',
  );
  await forget(page);

  await changeClient(quire, { frontchannelLogout: true });
  page = await quire.open('account');
  await check('carol logs in again, to the same account', () => logIn(page, carol, SAML), wanted);
  const other = await page.browserContext().newPage();
  await other.goto(`${keycloak.issuer}/protocol/openid-connect/logout`);
  await other.waitForSelector('#kc-logout');
  await Promise.all([other.waitForNavigation(), other.click('#kc-logout')]);
  await other.waitForFunction((address) => location.href.startsWith(address), {}, keycloak.url);
  await check('a logout in the browser at Keycloak ends the session here', () => until401(page), 401);
  await other.close();
  await forget(page);

  await changeClient(quire, {
    attributes: { 'saml.encrypt': 'false', 'saml.assertion.signature': 'true', 'saml.server.signature': 'false' },
  });
  page = await quire.open('account');
  await check('a login whose assertion alone is signed', () => logIn(page, carol, SAML), wanted);
  await forget(page);

  await rotate('newer-keys-of-saml', '150');
  page = await quire.open('account');
  await check('a login by SAML with new keys', () => logIn(page, carol, SAML), wanted);
  await forget(page);
}

/** Tries the login with SAML as an administrator; returns what would follow. */
async function tryLogin(page: Page, user: { readonly username: string; readonly password: string }): Promise<string> {
  await press(page, 'Test');
  await press(page, 'Begin a test');
  const link = await page.waitForSelector('a[href*="SAMLRequest="]');
  const opens = page.browser().waitForTarget((found) => found.url().startsWith(keycloak.url));
  await link?.click();
  const tab = await (await opens).page();
  await fill(tab!, user);
  await tab!.waitForFunction(() => location.search === '?trial=done');
  await tab!.close();
  await page.bringToFront();
  await page.waitForSelector('table');
  const said = await page.$$eval('.notice p', (all) => all.map(({ textContent }) => textContent ?? ''));
  return said.find((words) => words.startsWith('This user')) ?? said.join(' ');
}

/** Changes members and attributes of the SAML client at Keycloak. */
async function changeClient(
  { url }: ConsoleBrowser,
  { attributes, ...members }: { attributes?: Readonly<Record<string, string>>; frontchannelLogout?: boolean },
): Promise<void> {
  const clientId = encodeURIComponent(`${url}/saml2/service-provider-metadata/quire`);
  const [client] = (await keycloak.administer('GET', `clients?clientId=${clientId}`)) as {
    readonly id: string;
    readonly attributes: object;
  }[];
  const changed = { ...client, ...members, attributes: { ...client?.attributes, ...attributes } };
  await keycloak.administer('PUT', `clients/${client?.id}`, changed);
}

async function rotate(name: string, priority: string): Promise<void> {
  await keycloak.administer('POST', 'components', {
    name,
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: [priority], active: ['true'], enabled: ['true'] },
  });
}

/** Keycloak calls without waiting. */
async function until401(page: Page): Promise<number> {
  for (let count = 0; count < 20 && (await status(page)) !== 401; count++)
    await new Promise((resolve) => setTimeout(resolve, 250));
  return status(page);
}

async function logIn(
  page: Page,
  user: { readonly username: string; readonly password: string },
  way = OIDC,
): Promise<unknown> {
  await press(page, way);
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
