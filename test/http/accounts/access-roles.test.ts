import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import {
  addUser,
  bossName,
  bossPassword,
  globalKey,
  keyOf,
  sendJson,
  sessionOf,
  setEnabled,
} from '../support/login.js';
import { guardOf, routesOf, type Route } from '../support/routes.js';
import { type TestServer } from '../support/server.js';
import { sampleOf } from '../../suites/nightly.js';

/** What the test says of a role, independent of the code that decides. */
interface Expected {
  readonly role: string;
  readonly admin?: true;
  /** Areas of administration. */
  readonly areas?: readonly string[];
  /** Categories of tools; all if missing. */
  readonly categories?: readonly string[];
  readonly denied?: readonly string[];
  readonly storage?: 'none' | 'read';
  readonly withoutMaking?: true;
}

interface Caller {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly is: Expected | 'nobody' | 'disabled';
}

const settings = {
  security: {
    enableLogin: true,
    customGlobalAPIKey: globalKey,
    initialLogin: { username: bossName, password: bossPassword },
  },
};

const nothing = {
  categories: null,
  storage: 'use',
  automations: true,
  apiKeys: true,
  areas: [] as string[],
  operations: { allow: [] as string[], deny: [] as string[] },
};

/** Roles that administrators make, by name. */
const made: Readonly<Record<string, { readonly rights: object; readonly is: Omit<Expected, 'role'> }>> = {
  ROLE_GENERAL_ONLY: {
    rights: { ...nothing, categories: ['general'], storage: 'none', automations: false, apiKeys: false },
    is: { categories: ['general'], storage: 'none', withoutMaking: true },
  },
  ROLE_READER: {
    rights: { ...nothing, storage: 'read', operations: { allow: [], deny: ['general/rotate-pdf'] } },
    is: { storage: 'read', denied: ['general/rotate-pdf'] },
  },
  ROLE_USER_ADMIN: { rights: { ...nothing, areas: ['users'] }, is: { areas: ['users'] } },
  ROLE_AUDITOR: { rights: { ...nothing, categories: [], areas: ['audit'] }, is: { categories: [], areas: ['audit'] } },
};

const builtIn = [
  'ROLE_USER',
  'ROLE_PRO_USER',
  'ROLE_LIMITED_API_USER',
  'ROLE_EXTRA_LIMITED_API_USER',
  'ROLE_WEB_ONLY_USER',
  'ROLE_DEMO_USER',
];

/** Administration that only full administrators have: whoever had it could give themselves everything. */
const fullOnly = [
  String.raw`\w+ /api/v1/(database/.*|proprietary/ui-data/database)`,
  String.raw`\w+ /api/v1/admin/(installation-id|license(-.*|/.*)?|login-agreement(/.*)?|setup(/.*)?)`,
  String.raw`POST /api/v1/automations/import/watched-folder`,
];

function expected({ path, method, changes, access }: Route, caller: Caller, tools: ReadonlySet<string>): string {
  const { is, headers } = caller;
  if (access?.role === 'public') return 'passed';
  if (is === 'disabled') return 'ACCOUNT_DISABLED';
  if (is === 'nobody') return 'KEY_INVALID';
  // Refused as not part of this product before rights are asked for.
  if (access?.hosting === 'cloud') return 'passed';
  const isKey = headers['x-api-key'] !== undefined;
  if (access?.personal === true && headers['x-api-key'] === globalKey) return 'BUILT_IN_REFUSED';
  const { areas = [], admin } = is;
  if (admin !== true && access?.role === 'admin' && !areas.includes(access.area ?? ''))
    return areas.length === 0 ? 'ADMIN_ONLY' : 'RIGHTS_MISSING';
  const tool = tools.has(path) ? path.slice('/api/v1/'.length) : undefined;
  const reads = method === 'GET' && !changes;
  if (access?.role !== 'admin' && isLacking(is, tool, access?.right, reads)) return 'RIGHTS_MISSING';
  return access?.needsSession === true && isKey ? 'SESSION_REQUIRED' : 'passed';
}

function isLacking(
  { categories, denied = [], storage, withoutMaking }: Expected,
  tool: string | undefined,
  right: string | undefined,
  reads: boolean,
): boolean {
  if (tool !== undefined && (denied.includes(tool) || categories?.includes(tool.split('/')[0] ?? '') === false))
    return true;
  if (right === 'storage') return storage === 'none' || (storage === 'read' && !reads);
  return right !== undefined && withoutMaking === true;
}

describe('Access of every role to every route', () => {
  let server: TestServer;
  let routes: Route[];
  let callers: Caller[];
  let ask: ReturnType<typeof guardOf>;
  let tools: ReadonlySet<string>;

  before(async function () {
    this.timeout(120_000);
    server = await createTestServer({ settings });
    await server.start();
    const boss = await sessionOf(server);
    for (const [name, { rights }] of Object.entries(made)) {
      const answer = await sendJson(server, '/api/v1/admin/roles', { name, title: name.toLowerCase(), rights }, boss);
      expect(answer.status, answer.body.toString()).to.equal(201);
    }
    const expectedOf: Record<string, Expected> = {
      ROLE_ADMIN: { role: 'ROLE_ADMIN', admin: true },
      ...Object.fromEntries(builtIn.map((role) => [role, { role }])),
      ...Object.fromEntries(Object.entries(made).map(([role, { is }]) => [role, { role, ...is }])),
    };
    callers = [
      { what: 'nothing', headers: {}, is: 'nobody' },
      { what: 'the global key', headers: { 'x-api-key': globalKey }, is: { role: 'ROLE_BACKEND_API_USER' } },
    ];
    for (const [role, is] of Object.entries(expectedOf)) {
      const { username, password } = await addUser(server, boss, role.toLowerCase().replaceAll('_', '.'), role);
      const session = await sessionOf(server, username, password);
      callers.push({ what: `a session of ${role}`, headers: session, is });
      if (is.withoutMaking === true || role === 'ROLE_DEMO_USER') continue;
      callers.push({ what: `a key of ${role}`, headers: { 'x-api-key': await keyOf(server, session) }, is });
    }
    const gone = await addUser(server, boss, 'gone', 'ROLE_USER_ADMIN');
    const session = await sessionOf(server, gone.username, gone.password);
    await setEnabled(server, boss, 'gone', false);
    callers.push({ what: 'a disabled administrator of users', headers: session, is: 'disabled' });
    const categories = new Set([...server.catalog.operations.keys()].map((path) => path.split('/')[0]));
    const ofPlugins = server.catalog.endpoints.map(({ endpoint }) => endpoint.path);
    tools = new Set(
      [...server.catalog.operations.keys(), ...ofPlugins.filter((path) => categories.has(path.split('/')[0]))].map(
        (path) => `/api/v1/${path}`,
      ),
    );
    const table = await routesOf(server);
    ({ routes } = table);
    ask = guardOf(server, table.hapi);
  });
  after(() => server.stop());

  it('follows from the declaration of the route and the rights of the role', async function () {
    this.timeout(300_000);
    const wrong: string[] = [];
    const seen = new Set<string>();
    // One of three callers on each route, in turn; in the nightly run all.
    for (const [turn, route] of routes.entries())
      for (const caller of sampleOf(callers, 3, turn)) {
        const { verdict } = await ask(route, caller);
        const wanted = expected(route, caller, tools);
        seen.add(wanted);
        if (verdict !== wanted)
          wrong.push(`${route.method} ${route.path} with ${caller.what}: ${verdict} instead of ${wanted}`);
      }
    expect(wrong, wrong.slice(0, 20).join('\n')).to.deep.equal([]);
    expect([...seen]).to.include.members(['passed', 'ADMIN_ONLY', 'RIGHTS_MISSING', 'ACCOUNT_DISABLED']);
  });

  it('names the role and what it lacks', async () => {
    const caller = (role: string): Caller =>
      callers.find(({ what }) => what === `a session of ${role}`) ?? { what: '', headers: {}, is: 'nobody' };
    const texts = await Promise.all(
      [
        ['ROLE_GENERAL_ONLY', 'POST', '/api/v1/misc/ocr-pdf'],
        ['ROLE_READER', 'POST', '/api/v1/general/rotate-pdf'],
        ['ROLE_READER', 'POST', '/api/v1/storage/files'],
        ['ROLE_GENERAL_ONLY', 'POST', '/api/v1/pipelines'],
        ['ROLE_USER_ADMIN', 'GET', '/api/v1/admin/settings'],
        ['ROLE_USER_ADMIN', 'GET', '/api/v1/proprietary/ui-data/database'],
      ].map(async ([role = '', method = '', url = '']) => (await ask({ method, url }, caller(role))).body['detail']),
    );
    expect(texts.map((text) => /does not include (.*?)\. An/.exec(String(text))?.[1])).to.deep.equal([
      'the tool misc/ocr-pdf',
      'the tool general/rotate-pdf',
      'changing stored files',
      'making automations and saved pipelines',
      'the administration area "settings"',
      'this part of the administration, which is for full administrators',
    ]);
    expect(String(texts[0])).to.match(/^Your role "role_general_only" \(ROLE_GENERAL_ONLY\)/);
  });

  it('is declared for every route, with an area for all administration that can be given to others', () => {
    expect(routes.filter(({ declared }) => !declared).map(({ path }) => path)).to.deep.equal([]);
    const full = new RegExp(`^(${fullOnly.join('|')})$`);
    const admin = routes.filter(({ access }) => access?.role === 'admin');
    const without = admin.filter(({ access }) => access?.area === undefined);
    for (const { method, path } of without) expect(`${method} ${path}`).to.match(full);
    for (const { method, path, access } of admin)
      if (access?.area !== undefined) expect(`${method} ${path}`).not.to.match(full);
    const areas = new Set(admin.flatMap(({ access }) => access?.area ?? []));
    expect([...areas].sort()).to.deep.equal([
      'audit',
      'certificates',
      'folders',
      'jobs',
      'plugins',
      'roles',
      'settings',
      'usage',
      'users',
    ]);
  });
});
