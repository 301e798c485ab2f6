import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountDuty } from '@quire/registry';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose';
import { Wire, json, send } from '../support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
} from '../support/login.js';
import { guardOf, routesOf, type Route } from '../support/routes.js';
import { productRoot, unrulyPlugin, until, type TestServer } from '../support/server.js';
import { sampleOf } from '../../suites/nightly.js';

interface Caller {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Appended to the address. */
  readonly query?: string;
  /** The caller's role as authentication sees it. */
  readonly is: 'nobody' | 'user' | 'admin' | 'disabled';
  /** What the caller must do before anything else. */
  readonly duty?: AccountDuty;
  /** The expected `error` member of the contract when refused. */
  readonly error?: string;
}

const settings = {
  security: {
    enableLogin: true,
    customGlobalAPIKey: globalKey,
    initialLogin: { username: bossName, password: bossPassword },
  },
  management: {
    endpoints: { web: { exposure: { include: ['health', 'info', 'prometheus'] } } },
    prometheus: { metrics: { export: { enabled: true } } },
  },
};
/** The outcome that spec part 5 and the contract require. */
function expected({ access }: Route, { is, headers, duty }: Caller): string {
  if (access?.role === 'public') return 'passed';
  if (is === 'disabled') return 'ACCOUNT_DISABLED';
  if (is === 'nobody')
    return /^bearer +\S/i.test(headers['authorization'] ?? '') && (headers['x-api-key'] ?? '') === ''
      ? 'TOKEN_INVALID'
      : 'KEY_INVALID';
  if (duty !== undefined && access?.openBefore?.includes(duty) !== true)
    return duty === 'password' ? 'PASSWORD_CHANGE_REQUIRED' : 'MFA_SETUP_REQUIRED';
  if (access?.personal === true && headers['x-api-key'] === globalKey) return 'BUILT_IN_REFUSED';
  if (access?.role === 'admin' && is !== 'admin') return 'ADMIN_ONLY';
  const withKey = Object.keys(headers).some((name) => name.toLowerCase() === 'x-api-key');
  return access?.needsSession === true && withKey ? 'SESSION_REQUIRED' : 'passed';
}

/** Administrators who must change the password or set up a second factor. */
async function dutyCallers(server: TestServer, boss: Readonly<Record<string, string>>): Promise<Caller[]> {
  const saved = { role: 'ROLE_ADMIN', authType: 'web', password: 'given by the boss' };
  const callers: Caller[] = [];
  for (const [username, field, duty] of [
    ['late', 'forceChange', 'password'],
    ['lone', 'forceMFA', 'secondFactor'],
  ] as const) {
    await sendFields(server, '/api/v1/user/admin/saveUser', { ...saved, username, [field]: 'true' }, boss);
    const headers = await sessionOf(server, username, saved.password);
    callers.push({ what: `the token of an administrator with ${field}`, headers, is: 'admin', duty });
  }
  return callers;
}

/** Public routes beside the pages of the console. */
const openPaths = [
  String.raw`GET /(console-(assets|elements)/.*|robots\.txt|js/additionalLanguageCode\.js)?`,
  String.raw`GET /(livez|readyz|actuator/health.*|v1/api-docs.*|swagger.*|api/v1/info/(status|health))`,
  String.raw`\w+ /api/v1/auth/(passkeys/login/(begin|finish)|password-reset/(request|check|finish))`,
  String.raw`\w+ /api/v1/(user/register|invite/(validate|accept)/x|config/.*|proprietary/ui-data/login)`,
  String.raw`\w+ /api/v1/(auth/(login|refresh|logout)|ui-data/footer-info|mobile-scanner/.*|webhooks/x)`,
  String.raw`POST /api/v1/storage/share-links/x(/metadata)?`,
  // The way back of trial logins; without the cookie of one it is not there.
  String.raw`POST /login/saml2/sso/x`,
];
/** First segments of the console's addresses; its page is the same for everybody. */
const consolePaths = JSON.parse(
  readFileSync(join(productRoot, 'console', 'src', 'app', 'paths.json'), 'utf8'),
) as string[];

describe('Access to every route', () => {
  let server: TestServer;
  let routes: Route[];
  let callers: Caller[];
  let ask: ReturnType<typeof guardOf>;
  let bossKey: string;
  let session: { readonly authorization: string };

  before(async function () {
    this.timeout(60_000);
    server = await createTestServer({ settings });
    await server.start();
    session = await sessionOf(server);
    bossKey = await keyOf(server, session);
    const anna = await addUser(server, session, 'anna');
    const annaSession = await sessionOf(server, anna.username, anna.password);
    const annaKey = await keyOf(server, annaSession);
    const gone = await addUser(server, session, 'gone');
    const goneSession = await sessionOf(server, gone.username, gone.password);
    const goneKey = await keyOf(server, goneSession);
    await setEnabled(server, session, 'gone', false);
    const { secret, key } = json<{ secret: string; key: { id: string } }>(
      await sendJson(
        server,
        '/api/v1/proprietary/ui-data/infrastructure/api-keys',
        { name: 'short-lived' },
        annaSession,
      ),
    );
    const named = json<{ secret: string }>(
      await sendJson(server, '/api/v1/proprietary/ui-data/infrastructure/api-keys', { name: 'build' }, annaSession),
    ).secret;
    await send(`${server.url}/api/v1/proprietary/ui-data/infrastructure/api-keys/${key.id}`, {
      method: 'DELETE',
      headers: annaSession,
    });
    const duties = await dutyCallers(server, session);
    const token = annaSession.authorization.slice('Bearer '.length);
    const claims = decodeJwt(token);
    const { kid = '' } = decodeProtectedHeader(token);
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${token.split('.')[1]}.`;
    const missing = 'Authentication required';
    const wrong = 'Invalid API Key';
    callers = [
      { what: 'nothing', headers: {}, is: 'nobody', error: missing },
      { what: 'an empty key', headers: { 'x-api-key': '' }, is: 'nobody', error: missing },
      { what: 'a wrong key', headers: { 'x-api-key': 'wrong' }, is: 'nobody', error: wrong },
      { what: 'a padded key', headers: { 'x-api-key': `x${annaKey}` }, is: 'nobody', error: wrong },
      { what: 'a key sent twice', headers: { 'x-api-key': `${annaKey}, ${annaKey}` }, is: 'nobody', error: wrong },
      { what: 'a key in quotes', headers: { 'x-api-key': `"${annaKey}"` }, is: 'nobody', error: wrong },
      { what: 'a key of a megabyte', headers: { 'x-api-key': 'a'.repeat(1_000_000) }, is: 'nobody', error: wrong },
      {
        what: 'the key in the address',
        headers: {},
        query: `?X-API-KEY=${bossKey}&apiKey=${bossKey}&api_key=${bossKey}`,
        is: 'nobody',
        error: missing,
      },
      { what: 'the key in a cookie', headers: { cookie: `X-API-KEY=${bossKey}` }, is: 'nobody', error: missing },
      { what: 'a revoked key', headers: { 'x-api-key': secret }, is: 'nobody', error: wrong },
      { what: "a disabled user's key", headers: { 'x-api-key': goneKey }, is: 'nobody', error: wrong },
      {
        what: 'the key as a password',
        headers: { authorization: `Basic ${Buffer.from(`anna:${annaKey}`).toString('base64')}` },
        is: 'nobody',
        error: missing,
      },
      { what: 'Bearer without a token', headers: { authorization: 'Bearer ' }, is: 'nobody', error: missing },
      { what: 'garbage as a token', headers: { authorization: 'Bearer x.y.z' }, is: 'nobody', error: 'Invalid token' },
      {
        what: 'a key as a token',
        headers: { authorization: `Bearer ${annaKey}` },
        is: 'nobody',
        error: 'Invalid token',
      },
      {
        what: 'a token with alg none',
        headers: { authorization: `Bearer ${none}` },
        is: 'nobody',
        error: 'Invalid token',
      },
      {
        what: 'a token with a foreign signature',
        headers: { authorization: `Bearer ${foreign}` },
        is: 'nobody',
        error: 'Invalid token signature',
      },
      { what: "a disabled user's token", headers: goneSession, is: 'disabled', error: 'Forbidden' },
      { what: "a user's key", headers: { 'X-Api-Key': annaKey }, is: 'user' },
      { what: "a user's named key, header in lower case", headers: { 'x-api-key': named }, is: 'user' },
      { what: "a user's token", headers: annaSession, is: 'user' },
      { what: 'the global key', headers: { 'x-api-key': globalKey }, is: 'user' },
      { what: "an administrator's key", headers: { 'x-api-key': bossKey }, is: 'admin' },
      {
        what: "an administrator's token, scheme in lower case",
        headers: { authorization: session.authorization.replace('Bearer', 'bearer') },
        is: 'admin',
      },
      ...duties,
    ];
    const table = await routesOf(server);
    ({ routes } = table);
    ask = guardOf(server, table.hapi);
  });
  after(() => server.stop());

  it('is known for hundreds of routes, and only the listed few are public', () => {
    expect(routes.length).to.be.greaterThan(80);
    const open = routes.filter(({ access }) => access?.role === 'public').map(({ method, url }) => `${method} ${url}`);
    for (const needed of [
      'GET /api/v1/info/status',
      'GET /livez',
      'POST /api/v1/auth/login',
      'GET /swagger-ui/index.html',
    ])
      expect(open).to.include(needed);
    const pages = new RegExp(`^GET /(${consolePaths.join('|')})(/.*)?$`);
    const listed = new RegExp(`^(${openPaths.join('|')})$`);
    for (const path of open.filter((each) => !pages.test(each))) expect(path).to.match(listed);
    const admin = routes.filter(({ access }) => access?.role === 'admin').map(({ url }) => url);
    for (const { url } of routes) if (/\/admin\//.test(url)) expect(admin, url).to.include(url);
  });

  it('follows from the declaration, for every kind of credentials', async function () {
    this.timeout(120_000);
    const wrong: string[] = [];
    for (const route of routes) {
      for (const caller of callers) {
        const { verdict, body } = await ask(route, caller);
        const wanted = expected(route, caller);
        if (verdict !== wanted)
          wrong.push(`${route.method} ${route.url} with ${caller.what}: ${verdict} instead of ${wanted}`);
        if (
          caller.duty !== undefined ||
          ['passed', 'ADMIN_ONLY', 'BUILT_IN_REFUSED', 'SESSION_REQUIRED'].includes(wanted)
        )
          continue;
        const error = route.url.includes('/api/') || caller.is === 'disabled' ? caller.error : 'Unauthorized';
        if (body['error'] !== error)
          wrong.push(
            `${route.method} ${route.url} with ${caller.what}: error is ${String(body['error'])} instead of ${error}`,
          );
      }
    }
    expect(wrong, wrong.slice(0, 10).join('\n')).to.deep.equal([]);
  });

  it('is checked for every method and every spelling of the path', async function () {
    this.timeout(60_000);
    const wrong: string[] = [];
    const spellings = (url: string): string[] => [
      `/${url}`,
      `${url}/`,
      url.replace('/api/', '/api//'),
      url.replace('/api/v1', '/api/v1/../v1'),
      url.replace('/api/', '/%61pi/'),
      url.replace('/v1/', '/v1/%2e/'),
      url.toUpperCase(),
      `${url};public`,
      `${url}%00`,
      `${url}?_method=GET`,
    ];
    for (const [turn, { method, url, access }] of routes.entries()) {
      if (access?.role === 'public') continue;
      for (const path of sampleOf(spellings(url), 3, turn)) {
        for (const [verb, headers] of [
          [method, {}],
          [
            method === 'GET' ? 'HEAD' : method,
            {
              'x-http-method-override': 'OPTIONS',
              'x-original-url': '/livez',
              'x-rewrite-url': '/livez',
              'x-forwarded-prefix': '/livez',
            },
          ],
        ] as const) {
          const { statusCode } = await server.inject({ method: verb, url: path, headers });
          if (![400, 401, 404, 405].includes(statusCode)) wrong.push(`${verb} ${path}: ${statusCode}`);
        }
      }
    }
    expect(wrong, wrong.slice(0, 10).join('\n')).to.deep.equal([]);
  });

  it('is decided before the body is read', async () => {
    const posts = routes.filter(({ method, access }) => method === 'POST' && access?.role !== 'public').slice(0, 25);
    for (const { url } of posts) {
      const wire = (await Wire.open(server.url)).head(url, 'Content-Length: 100000000', 'Expect: 100-continue');
      await until('the server has answered', () => wire.status !== 0);
      expect(wire.status, url).to.equal(401);
      wire.close();
    }
  });
});

describe('Access while login is off', () => {
  it('is granted on every route except those that exist only with login, whatever is sent', async function () {
    this.timeout(60_000);
    const server = await createTestServer({
      settings: { ...settings, security: { enableLogin: false, customGlobalAPIKey: globalKey } },
    });
    await server.start();
    try {
      const { hapi, routes } = await routesOf(server);
      const ask = guardOf(server, hapi);
      const wrong: string[] = [];
      for (const route of routes) {
        for (const headers of [
          {},
          { 'x-api-key': 'wrong' },
          { 'x-api-key': globalKey },
          { authorization: 'Bearer x.y.z' },
        ] as const) {
          const { verdict } = await ask(route, { headers });
          if (verdict !== (route.access?.needsLogin === true ? 'LOGIN_REQUIRED' : 'passed'))
            wrong.push(`${route.method} ${route.url}: ${verdict}`);
        }
      }
      expect(wrong, wrong.slice(0, 10).join('\n')).to.deep.equal([]);
    } finally {
      await server.stop();
    }
  });
});

describe('A route that a plugin adds', () => {
  it('requires a user when it declares no access', async () => {
    const server = await createTestServer({ settings, plugins: [unrulyPlugin] });
    await server.start();
    try {
      const undeclared = [...server.catalog.operations.values()]
        .filter(({ operation }) => operation.access === undefined)
        .map(({ operation }) => operation.path);
      expect(undeclared).not.to.deep.equal([]);
      for (const path of undeclared)
        expect((await server.inject({ method: 'POST', url: `/api/v1/${path}` })).statusCode, path).to.equal(401);
    } finally {
      await server.stop();
    }
  });
});
