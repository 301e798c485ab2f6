// npm run check:keycloak-tokens
//
// Calls the API with access tokens of a real Keycloak: of a service (client credentials) and of a user.
import { execFileSync } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { json, send, type Problem } from '../../test/http/support/client.js';
import { addUser, firstSessionOf, sessionOf, startWithLogin } from '../../test/http/support/login.js';
import { RedirectBrowser } from '../../test/http/support/redirect-browser.js';
import type { TestServer } from '../../test/http/support/server.js';
import { clientId, clientSecret, Keycloak } from './keycloak.js';

const folder = join(homedir(), '.cache', 'quire-keycloak');
execFileSync('sh', [fileURLToPath(new URL('install.sh', import.meta.url)), folder], { stdio: 'inherit' });

const ada = { username: 'ada', password: 'the-password-of-ada', groups: [] };
const service = 'billing';
const audience = 'https://pdf.example.org';

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
  client: { keycloak: { issuer: keycloak.issuer, clientId, clientSecret } },
};
let server = await startWithLogin({ oauth2, accessTokens: { audiences: [audience] } });
try {
  await keycloak.start(server.url, { users: [ada], certificate: '' }, join(tmpdir(), 'quire-keycloak-tokens.log'));
  await setUp();
  const subject = await subjectOfService();
  await check('a service without an account is refused', () => answer(server, serviceToken), [
    401,
    'ACCESS_TOKEN_UNKNOWN',
  ]);
  const { port } = new URL(server.url);
  await server.stop();
  // At the same address, which Keycloak knows.
  server = await startWithLogin(
    { oauth2, accessTokens: { audiences: [audience], services: [`${subject}=robot`] } },
    { server: { port: Number(port) } },
  );
  const boss = await sessionOf(server);
  const { password } = await addUser(server, boss, 'robot');
  await firstSessionOf(server, 'robot', password, 'a new password of robot');
  await run();
} finally {
  await server.stop();
  await keycloak.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(): Promise<void> {
  await check('a service acts as its account', () => answer(server, serviceToken), [200, 'robot']);
  await check('its scopes limit it', () => answer(server, serviceToken, 'POST', 'misc/compress-pdf'), [
    403,
    'ACCESS_TOKEN_SCOPE',
  ]);
  await check('a user without an account here is refused', () => answer(server, userToken), [
    401,
    'ACCESS_TOKEN_UNKNOWN',
  ]);
  await logInAsAda();
  await check('a user acts as their account after a login', () => answer(server, userToken), [200, 'ada']);
  await check('an ID token is refused', () => answer(server, () => userToken('id_token')), [
    401,
    'ACCESS_TOKEN_INVALID',
  ]);
  await check('a refresh token is refused', () => answer(server, () => userToken('refresh_token')), [
    401,
    'ACCESS_TOKEN_INVALID',
  ]);
  await keycloak.administer('POST', 'components', {
    name: 'newer-keys',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['200'], active: ['true'], enabled: ['true'] },
  });
  await check('a token with a new key', () => answer(server, serviceToken), [200, 'robot']);
}

/** What docs/guides/machine-access.md says to do at Keycloak. */
async function setUp(): Promise<void> {
  const audienceMapper = {
    name: 'audience of quire',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': audience, 'access.token.claim': 'true', 'id.token.claim': 'true' },
  };
  await keycloak.administer('POST', 'client-scopes', {
    name: 'quire:general',
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'true' },
    protocolMappers: [audienceMapper],
  });
  await keycloak.administer('POST', 'clients', {
    clientId: service,
    secret: clientSecret,
    publicClient: false,
    standardFlowEnabled: false,
    serviceAccountsEnabled: true,
    defaultClientScopes: ['basic', 'service_account', 'quire:general'],
  });
  const [client] = (await keycloak.administer('GET', `clients?clientId=${clientId}`)) as { readonly id: string }[];
  const scopes = (await keycloak.administer('GET', 'client-scopes')) as {
    readonly id: string;
    readonly name: string;
  }[];
  const scope = scopes.find(({ name }) => name === 'quire:general');
  await keycloak.administer('PUT', `clients/${client?.id}/default-client-scopes/${scope?.id}`, {});
  await keycloak.administer('PUT', `clients/${client?.id}`, { directAccessGrantsEnabled: true });
}

async function subjectOfService(): Promise<string> {
  const [client] = (await keycloak.administer('GET', `clients?clientId=${service}`)) as { readonly id: string }[];
  const user = (await keycloak.administer('GET', `clients/${client?.id}/service-account-user`)) as {
    readonly id: string;
  };
  return user.id;
}

async function grant(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const found = await fetch(`${keycloak.issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: clientSecret, ...fields }),
  });
  if (!found.ok) throw new Error(`${found.status} ${await found.text()}`);
  return (await found.json()) as Readonly<Record<string, string>>;
}

async function serviceToken(): Promise<string> {
  const { access_token: token = '' } = await grant({ grant_type: 'client_credentials', client_id: service });
  return token;
}

async function userToken(kind = 'access_token'): Promise<string> {
  const { username, password } = ada;
  const found = await grant({ grant_type: 'password', scope: 'openid', client_id: clientId, username, password });
  return found[kind] ?? '';
}

async function logInAsAda(): Promise<void> {
  const browser = new RedirectBrowser();
  const page = await browser.visit(`${server.url}/oauth2/authorization/keycloak`);
  const { username, password } = ada;
  const action = /<form[^>]*\saction="([^"]*)"/.exec(page.answer.body.toString())?.[1] ?? '';
  const address = new URL(action.replaceAll('&amp;', '&'), page.url).href;
  await browser.submit(address, { username, password, credentialId: '' }, ({ hash }) =>
    hash.startsWith('#access_token'),
  );
}

/** The status, and the name of the account or the code of the refusal. */
async function answer(
  { url }: TestServer,
  token: () => Promise<string>,
  method = 'GET',
  path = 'auth/me',
): Promise<readonly [number, string]> {
  const headers = { authorization: `Bearer ${await token()}` };
  const found = await send(`${url}/api/v1/${path}`, { method, headers });
  const body = json<Problem & { readonly user?: { readonly username: string } }>(found);
  return [found.status, body.user?.username ?? body.code];
}
