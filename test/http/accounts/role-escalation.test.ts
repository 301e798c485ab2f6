import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { addRole, idOf, userRights, userWithRole, type Headers } from '../support/roles.js';
import type { TestServer } from '../support/server.js';

const ROLES = '/api/v1/admin/roles';
const GRANTS = '/api/v1/admin/access/grants';

/** An administrator of some areas is an attacker here: with an API that adds up to more rights than were given. */
describe('Administrators of some areas', () => {
  let server: TestServer;
  let boss: Headers;
  let desk: Headers;
  let keeper: Headers;
  let writer: Headers;
  let deskId: number;
  const exceeded = (answer: Answer): string => expectProblem(answer, 403, 'RIGHTS_EXCEEDED').detail ?? '';
  const form = (path: string, fields: Readonly<Record<string, string>>, by: Headers): Promise<Answer> =>
    sendFields(server, `/api/v1/${path}`, fields, by);
  const remove = (path: string, headers: Headers): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { method: 'DELETE', headers });
  const saved = (username: string, role: string) => ({
    username,
    role,
    password: 'correct horse battery',
    authType: 'web',
  });

  before(async function () {
    this.timeout(60_000);
    server = await startWithLogin({}, { mail: { enableInvites: true } });
    boss = await sessionOf(server);
    const rights = { ...userRights, areas: ['users'] };
    const made = await userWithRole(server, boss, 'ROLE_DESK', rights);
    desk = made.session;
    deskId = await idOf(server, desk);
    keeper = (await userWithRole(server, boss, 'ROLE_KEEPER', { ...userRights, areas: ['roles', 'users'] })).session;
    writer = (await userWithRole(server, boss, 'ROLE_WRITER', { ...userRights, areas: ['settings'] })).session;
    await addRole(server, boss, 'ROLE_SMALL', { ...userRights, categories: ['general'], storage: 'none' });
    await addUser(server, boss, 'plain.user');
    await addUser(server, boss, 'second.boss', 'ROLE_ADMIN');
  });
  after(() => server.stop());

  it('administer accounts that have no more rights than they have', async () => {
    expect((await form('user/admin/saveUser', saved('made.by.desk', 'ROLE_USER'), desk)).status).to.equal(200);
    const small = { username: 'made.by.desk', role: 'ROLE_SMALL' };
    expect((await form('user/admin/changeRole', small, desk)).status).to.equal(200);
    const again = { username: 'made.by.desk', newPassword: 'another horse battery' };
    expect((await form('user/admin/changePasswordForUser', again, desk)).status).to.equal(200);
    expect((await form('user/admin/deleteUser/made.by.desk', {}, desk)).status).to.equal(200);
  });

  it('cannot act upon a full administrator or one of another area, in any way', async () => {
    for (const username of ['second.boss', 'role.writer', 'boss']) {
      const ways: readonly (readonly [string, Promise<Answer>])[] = [
        ['role', form('user/admin/changeRole', { username, role: 'ROLE_USER' }, desk)],
        ['password', form('user/admin/changePasswordForUser', { username, newPassword: 'taken over by me' }, desk)],
        ['random', form('user/admin/changePasswordForUser', { username, generateRandom: 'true' }, desk)],
        ['disable', form(`user/admin/changeUserEnabled/${username}`, { enabled: 'false' }, desk)],
        ['delete', form(`user/admin/deleteUser/${username}`, {}, desk)],
        ['unlock', form(`user/admin/unlockUser/${username}`, {}, desk)],
        ['factor', form(`auth/mfa/disable/admin/${username}`, {}, desk)],
        ['sessions', remove(`user/admin/sessions/${username}`, desk)],
        ['session', remove(`user/admin/sessions/${username}/x`, desk)],
        ['passkeys', remove(`user/admin/passkeys/${username}`, desk)],
        ['passkey', remove(`user/admin/passkeys/${username}/x`, desk)],
      ];
      for (const [way, answer] of ways) expect(exceeded(await answer), `${way} of ${username}`).to.include(username);
    }
    // Written otherwise, it is the same account.
    const shouted = { username: ' SECOND.Boss ', newPassword: 'taken over by me' };
    exceeded(await form('user/admin/changePasswordForUser', shouted, desk));
    const login = { username: 'second.boss', password: 'password of second.boss' };
    expect((await sendJson(server, '/api/v1/auth/login', login)).status).to.equal(200);
  });

  it('cannot give more rights than they have, to themselves or to others', async () => {
    for (const role of ['ROLE_ADMIN', 'admin', 'ROLE_WRITER', 'ROLE_KEEPER']) {
      exceeded(await form('user/admin/saveUser', saved('sleeper', role), desk));
      exceeded(await form('user/admin/changeRole', { username: 'plain.user', role }, desk));
      exceeded(await form('invite/generate', { email: 'sleeper@example.com', role }, desk));
    }
    expectProblem(
      await form('user/admin/changeRole', { username: 'role.desk', role: 'ROLE_USER' }, desk),
      400,
      'ACCOUNT_OWN',
    );
    const internal = saved('sleeper', 'ROLE_BACKEND_API_USER');
    expectProblem(await form('user/admin/saveUser', internal, desk), 400, 'ROLE_INVALID');
  });

  it('cannot get at rights through a team', async () => {
    const { teamId } = json<{ teamId: number }>(await form('team/create', { name: 'Privileged' }, boss));
    const team = String(teamId);
    const moved = (by: Headers, userId: number) => form('team/addUser', { teamId: team, userId: String(userId) }, by);
    expectProblem(await moved(desk, deskId), 400, 'ACCOUNT_OWN');
    const bossId = await idOf(server, boss);
    exceeded(await moved(desk, bossId));
    // A team may have what its members do not have.
    const narrow = { ...userRights, categories: ['general'], areas: ['users'] };
    const { session } = await userWithRole(server, boss, 'ROLE_NARROW', narrow);
    const grant = { resourceType: 'CATEGORY', resourceId: 'misc', principalType: 'TEAM', principalId: teamId };
    expect((await sendJson(server, GRANTS, grant, boss)).status).to.equal(200);
    const { username, password } = await addUser(server, boss, 'small.user', 'ROLE_SMALL');
    const victim = await idOf(server, await sessionOf(server, username, password));
    expect(exceeded(await moved(session, victim))).to.include('misc');
    exceeded(await form('user/admin/saveUser', { ...saved('in.team', 'ROLE_SMALL'), teamId: team }, session));
    expect((await moved(boss, victim)).status).to.equal(200);
  });

  it('have no area but their own', async () => {
    for (const [method, path, headers] of [
      ['GET', ROLES, desk],
      ['POST', ROLES, desk],
      ['GET', `${GRANTS}?resourceType=PORTAL`, desk],
      ['GET', '/api/v1/admin/settings', desk],
      ['GET', '/api/v1/admin/settings', keeper],
      ['POST', '/api/v1/user/admin/saveUser', writer],
      ['GET', '/api/v1/admin/plugins', writer],
    ] as const)
      expectProblem(await send(`${server.url}${path}`, { method, headers }), 403, 'RIGHTS_MISSING');
  });

  it('cannot make, change or delete roles with more rights, nor give such access', async () => {
    const more = [
      { ...userRights, areas: ['settings'] },
      { ...userRights, areas: ['roles', 'users', 'audit'] },
    ];
    for (const rights of more) exceeded(await addRole(server, keeper, 'ROLE_SLEEPER', rights));
    const own = json<{ version: number }>(await send(`${server.url}${ROLES}/ROLE_KEEPER`, { headers: keeper }));
    const raised = {
      version: own.version,
      title: 'Keeper',
      rights: { ...userRights, areas: ['roles', 'users', 'jobs'] },
    };
    exceeded(await sendJson(server, `${ROLES}/ROLE_KEEPER`, raised, keeper, 'PUT'));
    const lowered = { version: 1, title: 'Writer', rights: userRights };
    exceeded(await sendJson(server, `${ROLES}/ROLE_WRITER`, lowered, keeper, 'PUT'));
    exceeded(await remove('admin/roles/ROLE_WRITER', keeper));
    const all = { version: 0, title: 'Administrator', rights: { ...userRights, areas: ['users'] } };
    exceeded(await sendJson(server, `${ROLES}/ROLE_ADMIN`, all, keeper, 'PUT'));
    for (const areas of [null, ['everything']])
      expectProblem(await addRole(server, boss, 'ROLE_SLEEPER', { ...userRights, areas }), 400, 'INPUT_INVALID');
    for (const grant of [
      { resourceType: 'PORTAL', principalType: 'USER', principalId: deskId },
      { resourceType: 'PORTAL', principalType: 'USER', principalId: deskId, permission: 'MANAGE' },
    ])
      exceeded(await sendJson(server, GRANTS, grant, keeper));
    expect((await addRole(server, keeper, 'ROLE_BELOW', { ...userRights, areas: ['users'] })).status).to.equal(201);
    expect((await remove('admin/roles/ROLE_BELOW', keeper)).status).to.equal(204);
  });

  it('read no secrets in the settings, and change none that give rights or name addresses', async () => {
    const all = (await send(`${server.url}/api/v1/admin/settings`, { headers: writer })).body.toString();
    expect(all).not.to.include('the-one-key-of-this-test').and.not.to.include('the-password-of-the-boss');
    const put = (path: string, body: object): Promise<Answer> =>
      sendJson(server, `/api/v1/admin/settings${path}`, body, writer, 'PUT');
    for (const answer of [
      put('/key/security.enableLogin', { value: false }),
      put('/key/security.defaultRole', { value: 'ROLE_WRITER' }),
      put('/section/security', { customGlobalAPIKey: 'mine-mine-mine-mine' }),
      put('', { settings: { 'ui.appNameNavbar': 'Papers', 'security.oauth2.groupRoles': ['all=ROLE_ADMIN'] } }),
      put('', { settings: { mail: { host: 'mail.attacker.example' } } }),
      put('/key/jobs.callbacks.secret', { value: 'mine' }),
    ])
      exceeded(await answer);
    expect((await put('/key/ui.appNameNavbar', { value: 'Papers' })).status).to.equal(200);
  });

  it('make no keys, sessions or passwords for others, and lose everything with their role', async () => {
    const { session, name } = await userWithRole(server, boss, 'ROLE_SHORT', { ...userRights, areas: ['users'] });
    expect((await form('user/admin/saveUser', saved('before.it', 'ROLE_USER'), session)).status).to.equal(200);
    const narrowed = { version: 1, title: 'Short', rights: userRights };
    expect((await sendJson(server, `${ROLES}/ROLE_SHORT`, narrowed, boss, 'PUT')).status).to.equal(200);
    expectProblem(await form('user/admin/saveUser', saved('after.it', 'ROLE_USER'), session), 403, 'ADMIN_ONLY');
    expect((await form('user/admin/changeRole', { username: name, role: 'ROLE_USER' }, boss)).status).to.equal(200);
    expect((await send(`${server.url}/api/v1/auth/me`, { headers: session })).status).to.equal(401);
  });
});
