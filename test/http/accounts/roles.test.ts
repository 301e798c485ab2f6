import { expect } from 'chai';
import { expectProblem, field, file, json, pointers, post, send, type Answer } from '../support/client.js';
import { addUser, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { addRole, idOf, userRights, userWithRole, type Headers } from '../support/roles.js';
import type { TestServer } from '../support/server.js';

const ROLES = '/api/v1/admin/roles';
const GRANTS = '/api/v1/admin/access/grants';

/** Refused before it is read, or as a broken PDF. */
const turned = [field('angle', '90'), file(Buffer.from('%PDF-1.7'))];

interface RoleWire {
  readonly name: string;
  readonly version: number;
  readonly users: number;
  readonly builtIn: boolean;
  readonly fixed: boolean;
  readonly rights: { readonly areas: readonly string[] | null; readonly limits: Readonly<Record<string, unknown>> };
}

describe('Roles', () => {
  let server: TestServer;
  let boss: Headers;
  const get = (path: string, headers: Headers = boss): Promise<Answer> => send(`${server.url}${path}`, { headers });
  const remove = (path: string): Promise<Answer> => send(`${server.url}${path}`, { method: 'DELETE', headers: boss });
  const put = (name: string, body: object): Promise<Answer> => sendJson(server, `${ROLES}/${name}`, body, boss, 'PUT');
  const rotate = (headers: Headers): Promise<Answer> =>
    post(`${server.url}/api/v1/general/rotate-pdf`, turned, headers);

  before(async function () {
    this.timeout(60_000);
    server = await startWithLogin(
      { defaultRole: 'ROLE_NEWCOMER' },
      { storage: { enabled: true }, mail: { enableInvites: true } },
    );
    boss = await sessionOf(server);
    const rights = { ...userRights, categories: ['general', 'filter'], apiKeys: false };
    expect((await addRole(server, boss, 'ROLE_NEWCOMER', rights)).status).to.equal(201);
  });
  after(() => server.stop());

  it('of the server are listed with what roles can include', async () => {
    const { roles, options } = json<{
      roles: RoleWire[];
      options: { categories: string[]; operations: string[]; areas: string[]; defaultRole: string };
    }>(await get(ROLES));
    const byName = new Map(roles.map((role) => [role.name, role]));
    expect(byName.get('ROLE_ADMIN')).to.deep.include({ fixed: true, builtIn: true, users: 1, version: 0 });
    expect(byName.get('ROLE_ADMIN')?.rights.areas).to.equal(null);
    expect(byName.get('ROLE_LIMITED_API_USER')?.rights.limits, 'rateLimit is off').to.include({ apiCallsPerDay: null });
    expect([...byName.keys()]).not.to.include('ROLE_BACKEND_API_USER');
    expect(options.categories).to.include.members(['general', 'filter']);
    expect(options.operations).to.include('general/rotate-pdf');
    expect(options.areas).to.include.members(['users', 'roles', 'settings', 'audit']);
    expect(options.defaultRole).to.equal('ROLE_NEWCOMER');
  });

  it('are made, changed and deleted', async () => {
    const made = await addRole(server, boss, 'ROLE_TEMP', userRights);
    expect(made.status, made.body.toString()).to.equal(201);
    expect(json(made)).to.deep.include({ name: 'ROLE_TEMP', version: 1, users: 0, changedBy: 'boss' });
    expectProblem(await addRole(server, boss, 'ROLE_TEMP', userRights), 409, 'ROLE_TAKEN');
    expectProblem(await addRole(server, boss, 'ROLE_USER', userRights), 409, 'ROLE_TAKEN');
    const body = { version: 1, title: 'Temporary', rights: { ...userRights, storage: 'none' } };
    expect(json(await put('ROLE_TEMP', body))).to.deep.include({ title: 'Temporary', version: 2 });
    expect(expectProblem(await put('ROLE_TEMP', body), 409, 'ROLE_CHANGED').detail).to.include('version 2');
    expect((await remove(`${ROLES}/ROLE_TEMP`)).status).to.equal(204);
    expectProblem(await get(`${ROLES}/ROLE_TEMP`), 404, 'ROLE_UNKNOWN');
    expectProblem(await remove(`${ROLES}/ROLE_TEMP`), 404, 'ROLE_UNKNOWN');
    expectProblem(await put('ROLE_TEMP', body), 404, 'ROLE_UNKNOWN');
  });

  it('of the server can be narrowed, but full administrators keep everything', async () => {
    expectProblem(await put('ROLE_ADMIN', { version: 0, title: 'x', rights: userRights }), 409, 'ROLE_FIXED');
    expectProblem(await remove(`${ROLES}/ROLE_ADMIN`), 409, 'ROLE_FIXED');
    expectProblem(await remove(`${ROLES}/ROLE_PRO_USER`), 409, 'ROLE_FIXED');
    expectProblem(
      await put('ROLE_BACKEND_API_USER', { version: 0, title: 'x', rights: userRights }),
      404,
      'ROLE_UNKNOWN',
    );
    const pro = await addUser(server, boss, 'a.pro', 'ROLE_PRO_USER');
    const session = await sessionOf(server, pro.username, pro.password);
    expect((await rotate(session)).status).not.to.equal(403);
    const narrow = { version: 0, title: 'Pro', rights: { ...userRights, categories: ['filter'] } };
    const changed = await Promise.all([put('ROLE_PRO_USER', narrow), put('ROLE_PRO_USER', narrow)]);
    expect(changed.map(({ status }) => status).sort(), 'one of two calls at once').to.deep.equal([200, 409]);
    expectProblem(await rotate(session), 403, 'RIGHTS_MISSING');
  });

  it('that accounts or open invites have are not deleted', async () => {
    await addRole(server, boss, 'ROLE_BUSY', userRights);
    await addUser(server, boss, 'busy.one', 'ROLE_BUSY');
    const invited = await sendFields(
      server,
      '/api/v1/invite/generate',
      { email: 'busy@example.com', role: 'ROLE_BUSY' },
      boss,
    );
    expect(invited.status, invited.body.toString()).to.equal(200);
    expect(expectProblem(await remove(`${ROLES}/ROLE_BUSY`), 409, 'ROLE_IN_USE').detail).to.include('2 accounts');
    const newcomers = expectProblem(await remove(`${ROLES}/ROLE_NEWCOMER`), 409, 'ROLE_IN_USE').detail;
    expect(newcomers).to.include('security.defaultRole');
  });

  it('name what is wrong with a request', async () => {
    const wrong = await addRole(server, boss, 'ROLE_WRONG', {
      ...userRights,
      categories: ['general', 'nowhere'],
      operations: { allow: ['general/nothing'], deny: ['misc'] },
      areas: ['kitchen'],
    });
    expect(pointers(expectProblem(wrong, 400, 'INPUT_INVALID'))).to.deep.equal([
      '/rights/categories/1',
      '/rights/operations/allow/0',
      '/rights/operations/deny/0',
      '/rights/areas/0',
    ]);
    const names = ['role_small', 'ROLE_', 'ROLE_Ä', 'WRITER', 'ROLE_A B', `ROLE_${'A'.repeat(70)}`];
    for (const name of names) expectProblem(await addRole(server, boss, name, userRights), 400, 'INPUT_INVALID');
    const { areas: _, ...incomplete } = userRights;
    expect(
      pointers(expectProblem(await addRole(server, boss, 'ROLE_X', incomplete), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/rights/areas']);
    const limits = { uploadMb: -1, jobsWaiting: '5' };
    const refused = await addRole(server, boss, 'ROLE_X', { ...userRights, limits });
    expect(pointers(expectProblem(refused, 400, 'INPUT_INVALID'))).to.have.members([
      '/rights/limits/uploadMb',
      '/rights/limits/jobsWaiting',
    ]);
  });

  it('of new accounts are the default role where nobody chose one', async () => {
    const saved = { username: 'new.comer', password: 'correct horse battery', authType: 'web' };
    expect((await sendFields(server, '/api/v1/user/admin/saveUser', saved, boss)).status).to.equal(200);
    const session = await sessionOf(server, saved.username, saved.password);
    const me = json<{ user: { role: string }; rights: object }>(await get('/api/v1/auth/me', session));
    expect(me.user.role).to.equal('ROLE_NEWCOMER');
    expect(me.rights).to.deep.include({
      title: 'Title of ROLE_NEWCOMER',
      categories: ['general', 'filter'],
      areas: [],
    });
    const registered = { username: 'regis.tered', password: 'correct horse battery' };
    const answer = await sendJson(server, '/api/v1/user/register', registered, session);
    expect(json<{ user: { role: string } }>(answer).user.role).to.equal('ROLE_NEWCOMER');
    const { token } = json<{ token: string }>(
      await sendFields(server, '/api/v1/invite/generate', { email: 'asked@example.com' }, boss),
    );
    const offer = json<{ role: string }>(await get(`/api/v1/invite/validate/${token}`, {}));
    expect(offer.role).to.equal('ROLE_NEWCOMER');
    expectProblem(
      await sendFields(
        server,
        '/api/v1/user/admin/saveUser',
        { ...saved, username: 'no.role', role: 'ROLE_NONE' },
        boss,
      ),
      400,
      'ROLE_INVALID',
    );
  });

  it('limit uploads, calls and stored files', async () => {
    const tiny = { ...userRights, limits: { uploadMb: 0 } };
    const { session } = await userWithRole(server, boss, 'ROLE_TINY', tiny);
    expectProblem(await rotate(session), 413, 'INPUT_TOO_LARGE');
    const calls = { ...userRights, limits: { webCallsPerDay: 2, apiCallsPerDay: 0 } };
    const { session: few } = await userWithRole(server, boss, 'ROLE_FEW', calls);
    // The first of two calls in the browser, although rateLimit is off.
    const key = await keyOf(server, few);
    expectProblem(await rotate({ 'x-api-key': key }), 429, 'DAILY_LIMIT_REACHED');
    expect((await rotate(few)).status).not.to.equal(429);
    expectProblem(await rotate(few), 429, 'DAILY_LIMIT_REACHED');
    const { session: saver } = await userWithRole(server, boss, 'ROLE_SAVER', {
      ...userRights,
      limits: { storageMb: 1 },
    });
    expect(json(await get('/api/v1/storage/usage', saver))).to.include({ allowedBytes: 1024 * 1024 });
  });

  it('are shown in capabilities, the API description and the catalog of the console', async () => {
    const { session } = await userWithRole(server, boss, 'ROLE_FILTERS', { ...userRights, categories: ['filter'] });
    interface Capability {
      readonly path: string;
      readonly enabled: boolean;
      readonly reason: string | null;
    }
    const { operations } = json<{ operations: Capability[] }>(await get('/api/v1/capabilities', session));
    const rotation = operations.find(({ path }) => path === '/api/v1/general/rotate-pdf');
    expect(rotation).to.include({ enabled: false, reason: 'ROLE' });
    const described = async (headers: Headers): Promise<string[]> =>
      Object.keys(json<{ paths: object }>(await get('/v1/api-docs', headers)).paths);
    expect(await described(session)).not.to.include('/api/v1/general/rotate-pdf');
    expect(await described({})).to.include('/api/v1/general/rotate-pdf');
    expect(await described(boss)).to.include('/api/v1/general/rotate-pdf');
    const catalog = json<{ operations: { path: string; availability: { state: string; reason?: string } }[] }>(
      await get('/api/v1/console/catalog', session),
    );
    const shown = catalog.operations.find(({ path }) => path === 'general/rotate-pdf')?.availability;
    expect(shown).to.deep.include({ state: 'role' });
    expect(shown?.reason).to.include('Title of ROLE_FILTERS');
  });

  it('apply to the steps of pipelines', async () => {
    const { session } = await userWithRole(server, boss, 'ROLE_STEPS', { ...userRights, categories: ['filter'] });
    const steps = { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }] };
    const sent = [field('json', JSON.stringify(steps)), file(Buffer.from('%PDF-1.7'))];
    const refused = await post(`${server.url}/api/v1/pipeline/handleData`, sent, session);
    expect(refused.status).to.equal(400);
    // As a direct call does.
    const direct = await post(`${server.url}/api/v1/general/rotate-pdf`, turned, session);
    const { detail } = json<{ detail: string }>(direct);
    expect(detail).to.include('Your role "Title of ROLE_STEPS" (ROLE_STEPS) does not include the tool');
    expect(json<{ errors: object[] }>(refused).errors).to.deep.equal([
      {
        pointer: '/pipeline/0/operation',
        detail: `/api/v1/general/rotate-pdf is not allowed for this caller. ${detail}`,
      },
    ]);
  });
});

describe('Access grants', () => {
  let server: TestServer;
  let boss: Headers;
  let session: Headers;
  let userId: number;
  const list = async (query: string): Promise<readonly object[]> =>
    json<object[]>(await send(`${server.url}${GRANTS}${query}`, { headers: boss }));
  const give = (grant: object): Promise<Answer> => sendJson(server, GRANTS, grant, boss);
  const takeBack = (id: number): Promise<Answer> =>
    send(`${server.url}${GRANTS}/${id}`, { method: 'DELETE', headers: boss });
  const rotates = async (): Promise<boolean> => {
    return (await post(`${server.url}/api/v1/general/rotate-pdf`, turned, session)).status !== 403;
  };

  before(async function () {
    this.timeout(60_000);
    server = await startWithLogin();
    boss = await sessionOf(server);
    const rights = { ...userRights, categories: ['filter'], operations: { deny: ['general/rotate-pdf'] } };
    ({ session } = await userWithRole(server, boss, 'ROLE_FILTERS', rights));
    userId = await idOf(server, session);
  });
  after(() => server.stop());

  it('give a user a tool beside the role, until they are taken back', async () => {
    expect(await rotates()).to.equal(false);
    const category = { resourceType: 'CATEGORY', resourceId: 'general', principalType: 'USER', principalId: userId };
    const first = json<{ id: number }>(await give(category));
    expect(await rotates(), 'the role denies the operation').to.equal(false);
    const single = { ...category, resourceType: 'OPERATION', resourceId: 'general/rotate-pdf' };
    const second = json<{ id: number; permission: string }>(await give(single));
    expect(second).to.deep.include({ ...single, permission: 'USE' });
    expect(await rotates()).to.equal(true);
    expect(await list(`/by-principal?principalType=USER&principalId=${userId}`)).to.have.length(2);
    expect(await list('?resourceType=OPERATION&resourceId=general/rotate-pdf')).to.have.length(1);
    expect((await takeBack(second.id)).status).to.equal(200);
    expect(await rotates()).to.equal(false);
    expectProblem(await takeBack(second.id), 404, 'GRANT_UNKNOWN');
    await takeBack(first.id);
  });

  it('to a team count for its members, and do not switch on what is switched off', async () => {
    const { teamId } = json<{ teamId: number }>(
      await sendFields(server, '/api/v1/team/create', { name: 'Rotators' }, boss),
    );
    const move = { teamId: String(teamId), userId: String(userId) };
    expect((await sendFields(server, '/api/v1/team/addUser', move, boss)).status).to.equal(200);
    const key = { resourceType: 'OPERATION', resourceId: 'general/rotate-pdf', principalType: 'TEAM' };
    const grant = json<{ id: number }>(await give({ ...key, principalId: teamId }));
    expect(await rotates()).to.equal(true);
    const plugins = '/api/v1/admin/plugins';
    const off = { operation: 'general/rotate-pdf', enabled: false };
    expect((await sendJson(server, plugins, off, boss, 'PATCH')).status).to.equal(200);
    expect(await rotates()).to.equal(false);
    expect((await sendJson(server, plugins, { ...off, enabled: null }, boss, 'PATCH')).status).to.equal(200);
    await takeBack(grant.id);
  });

  it('are one for each resource and principal', async () => {
    const portal = { resourceType: 'PORTAL', principalType: 'USER', principalId: userId };
    const both = await Promise.all([give(portal), give({ ...portal, permission: 'MANAGE' })]);
    expect(new Set(both.map((answer) => json<{ id: number }>(answer).id)).size).to.equal(1);
    const [only] = await list('?resourceType=PORTAL');
    expect(only).to.include({ resourceId: '', principalId: userId });
  });

  it('of the portal decide portalAccess', async () => {
    const portal = async (headers: Headers): Promise<boolean> => {
      const me = await send(`${server.url}/api/v1/auth/me`, { headers });
      return json<{ user: { portalAccess: boolean } }>(me).user.portalAccess;
    };
    const { username, password } = await addUser(server, boss, 'no.portal');
    expect(await portal(boss)).to.equal(true);
    expect(await portal(session), 'granted above').to.equal(true);
    expect(await portal(await sessionOf(server, username, password))).to.equal(false);
  });

  it('go with the user', async () => {
    const { username } = await addUser(server, boss, 'short.lived');
    const id = await idOf(server, await sessionOf(server, username, 'password of short.lived'));
    await give({ resourceType: 'PORTAL', principalType: 'USER', principalId: id });
    await sendFields(server, `/api/v1/user/admin/deleteUser/${username}`, {}, boss);
    expect(await list(`/by-principal?principalType=USER&principalId=${id}`)).to.deep.equal([]);
  });

  it('name what is wrong with a request', async () => {
    const user = { principalType: 'USER', principalId: userId };
    for (const [grant, code] of [
      [{ resourceType: 'PORTAL', principalType: 'USER', principalId: 9999 }, 'GRANT_INVALID'],
      [{ resourceType: 'PORTAL', principalType: 'TEAM', principalId: 9999 }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'PORTAL', resourceId: 'x' }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'OPERATION', resourceId: 'general/nothing' }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'CATEGORY', resourceId: 'admin' }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'CATEGORY', resourceId: 'general', permission: 'MANAGE' }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'INTEGRATION_CONFIG', resourceId: '1' }, 'GRANT_INVALID'],
      [{ ...user, resourceType: 'EVERYTHING' }, 'INPUT_INVALID'],
      [{ ...user }, 'INPUT_INVALID'],
      [{ resourceType: 'PORTAL', principalType: 'ROBOT', principalId: 1 }, 'INPUT_INVALID'],
    ] as const)
      expectProblem(await give(grant), 400, code);
    for (const query of ['', '?resourceType=X', '/by-principal?principalType=USER', '/by-principal?principalId=1'])
      expectProblem(await send(`${server.url}${GRANTS}${query}`, { headers: boss }), 400, 'INPUT_INVALID');
  });
});
