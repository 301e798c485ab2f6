import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import {
  addUser,
  bossName,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  startWithLogin,
} from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string>>;

describe('The administration of users', () => {
  let server: TestServer;
  let mail: MailServer;
  let boss: Headers;
  const admin = (path: string, fields: Fields = {}, headers = boss): Promise<Answer> =>
    sendFields(server, `/api/v1/user/admin/${path}`, fields, headers);
  const login = (username: string, password: string): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', { username, password });
  const me = (headers: Headers): Promise<Answer> => send(`${server.url}/api/v1/auth/me`, { headers });
  const saved = (more: Fields = {}): Fields => ({
    username: 'saved.user',
    password: 'correct horse',
    role: 'ROLE_USER',
    authType: 'web',
    ...more,
  });

  before(async () => {
    mail = await MailServer.start();
    server = await startWithLogin({}, { mail: mail.settings, system: { frontendUrl: 'https://docs.example.org/' } });
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await mail.stop();
  });

  it('creates users as described', async () => {
    expect(
      json(
        await admin(
          'saveUser',
          saved({ role: 'ROLE_WEB_ONLY_USER', forceChange: 'true', forceMFA: 'true', password: 'correct horse' }),
        ),
      ),
    ).to.have.property('message');
    const { user } = json<{ user: object }>(await login('SAVED.user', 'correct horse'));
    expect(user).to.deep.include({
      username: 'saved.user',
      role: 'ROLE_WEB_ONLY_USER',
      enabled: true,
      team: { id: 1, name: 'Default' },
      authenticationType: 'web',
      user_metadata: { firstLogin: true },
    });
    for (const [authType, type] of [
      ['OAUTH2', 'oauth2'],
      ['sso', 'oauth2'],
      ['Saml2', 'saml2'],
    ] as const)
      expect(
        (await admin('saveUser', saved({ username: `${type}.${authType.toLowerCase()}`, authType, password: '' })))
          .status,
      ).to.equal(200);
    expect(
      (await login('oauth2.sso', 'correct horse')).status,
      'no password is right for an account that logs in elsewhere',
    ).to.equal(401);
  });

  it('refuses invalid users', async () => {
    const cases: readonly (readonly [Fields, number, string])[] = [
      [saved({ username: bossName }), 409, 'USERNAME_TAKEN'],
      [saved({ username: 'a..b' }), 400, 'USERNAME_INVALID'],
      [saved({ username: 'ALL_USERS' }), 400, 'USERNAME_INVALID'],
      [saved({ username: 'CUSTOM_API_USER' }), 400, 'USERNAME_INVALID'],
      [saved({ username: 'other.user', password: '12345' }), 400, 'PASSWORD_INVALID'],
      [saved({ username: 'other.user', password: '' }), 400, 'PASSWORD_INVALID'],
      [saved({ username: 'other.user', role: 'ROLE_KING' }), 400, 'ROLE_INVALID'],
      [saved({ username: 'other.user', role: 'ROLE_BACKEND_API_USER' }), 400, 'ROLE_INVALID'],
      [saved({ username: 'other.user', teamId: '99' }), 400, 'TEAM_INVALID'],
      [saved({ username: 'other.user', teamId: '2' }), 400, 'TEAM_INVALID'],
      [saved({ username: 'other.user', authType: 'ldap' }), 400, 'INPUT_INVALID'],
      [saved({ username: 'other.user', teamId: 'x' }), 400, 'INPUT_INVALID'],
      [saved({ username: 'other.user', teamId: '-1' }), 400, 'INPUT_INVALID'],
      [saved({ username: 'other.user', forceChange: 'maybe' }), 400, 'INPUT_INVALID'],
    ];
    for (const [fields, status, code] of cases) expectProblem(await admin('saveUser', fields), status, code);
    expect(pointers(expectProblem(await admin('saveUser'), 400, 'INPUT_INVALID'))).to.deep.equal([
      '/username',
      '/authType',
    ]);
    expect((await login('other.user', 'correct horse')).status).to.equal(401);
  });

  it('creates one user when two calls use the same name at once', async () => {
    const answers = await Promise.all(
      ['race.user', 'RACE.user', 'Race.User', 'race.USER'].map((username) => admin('saveUser', saved({ username }))),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
  });

  it('is for administrators, and a new role takes effect at once', async () => {
    await addUser(server, boss, 'climber');
    const session = await sessionOf(server, 'climber', 'password of climber');
    const key = { 'x-api-key': await keyOf(server, session) };
    for (const headers of [session, key, { 'x-api-key': globalKey }])
      expectProblem(await admin('saveUser', saved({ username: 'by.a.user' }), headers), 403, 'ADMIN_ONLY');
    expectProblem(await admin('saveUser', saved(), {}), 401, 'KEY_INVALID');
    expect((await admin('changeRole', { username: 'climber', role: 'ROLE_ADMIN' })).status).to.equal(200);
    expect((await admin('saveUser', saved({ username: 'by.an.admin' }), key)).status).to.equal(200);
    expect((await me(session)).status, 'a session from before').to.equal(401);
    expect((await admin('changeRole', { username: 'climber', role: 'ROLE_USER' })).status).to.equal(200);
    expectProblem(await admin('saveUser', saved({ username: 'too.late' }), key), 403, 'ADMIN_ONLY');
  });

  it('refuses invalid changes of roles', async () => {
    const cases: readonly (readonly [Fields, number, string])[] = [
      [{ username: bossName, role: 'ROLE_USER' }, 400, 'ACCOUNT_OWN'],
      [{ username: 'nobody.here', role: 'ROLE_USER' }, 404, 'USER_UNKNOWN'],
      [{ username: 'climber', role: 'KING' }, 400, 'ROLE_INVALID'],
      [{ username: 'climber', role: 'ROLE_BACKEND_API_USER' }, 400, 'ROLE_INVALID'],
      [{ username: 'climber', role: 'ROLE_USER', teamId: '2' }, 400, 'TEAM_INVALID'],
      [{ username: 'CUSTOM_API_USER', role: 'ROLE_ADMIN' }, 400, 'ACCOUNT_BUILT_IN'],
    ];
    for (const [fields, status, code] of cases) expectProblem(await admin('changeRole', fields), status, code);
  });

  it('disables a user, whose sessions and keys end at once, and enables the user again', async () => {
    await addUser(server, boss, 'sleeper');
    const session = await sessionOf(server, 'sleeper', 'password of sleeper');
    const key = { 'x-api-key': await keyOf(server, session) };
    expect((await admin('changeUserEnabled/sleeper?enabled=false')).status).to.equal(200);
    for (const headers of [session, key]) expect((await me(headers)).status).to.be.oneOf([401, 403]);
    expect((await login('sleeper', 'password of sleeper')).status).to.equal(401);
    expect((await admin('changeUserEnabled/sleeper', { enabled: 'true' })).status).to.equal(200);
    expect((await me(key)).status).to.equal(200);
    for (const [path, fields, status, code] of [
      [bossName, { enabled: 'false' }, 400, 'ACCOUNT_OWN'],
      ['nobody.here', { enabled: 'false' }, 404, 'USER_UNKNOWN'],
      ['sleeper', {}, 400, 'INPUT_INVALID'],
      ['sleeper', { enabled: '2' }, 400, 'INPUT_INVALID'],
    ] as const) {
      expectProblem(await admin(`changeUserEnabled/${path}`, fields as Fields), status, code);
    }
  });

  it('deletes a user with keys and sessions, and never reuses the id', async () => {
    await addUser(server, boss, 'leaver');
    const session = await sessionOf(server, 'leaver', 'password of leaver');
    const key = { 'x-api-key': await keyOf(server, session) };
    const before = json<{ user: { id: number } }>(await me(key)).user.id;
    expect((await admin('deleteUser/LEAVER')).status).to.equal(200);
    for (const headers of [session, key]) expect((await me(headers)).status).to.be.oneOf([401, 403]);
    expectProblem(await admin('deleteUser/leaver'), 404, 'USER_UNKNOWN');
    expectProblem(await admin(`deleteUser/${bossName}`), 400, 'ACCOUNT_OWN');
    await addUser(server, boss, 'leaver');
    expect(
      json<{ user: { id: number } }>(await me(await sessionOf(server, 'leaver', 'password of leaver'))).user.id,
    ).to.be.greaterThan(before);
    expect((await me(key)).status, 'the key of the one before').to.equal(401);
  });

  it('unlocks a name; sessions and keys are not affected by the lock', async () => {
    await addUser(server, boss, 'forgetful');
    const elsewhere = await startWithLogin({ loginAttemptCount: 2 });
    try {
      const chief = await sessionOf(elsewhere);
      await addUser(elsewhere, chief, 'forgetful');
      const tries = async (password: string): Promise<number> =>
        (await sendJson(elsewhere, '/api/v1/auth/login', { username: 'forgetful', password })).status;
      for (let turn = 0; turn < 2; turn++) await tries('wrong horse');
      expectProblem(
        await sendJson(elsewhere, '/api/v1/auth/login', { username: 'forgetful', password: 'password of forgetful' }),
        401,
        'LOGIN_LOCKED',
      );
      expect((await sendFields(elsewhere, '/api/v1/user/admin/unlockUser/forgetful', {}, chief)).status).to.equal(200);
      expect(await tries('password of forgetful')).to.equal(200);
    } finally {
      await elsewhere.stop();
    }
  });

  it('sets passwords, and sends random ones by mail only', async () => {
    await addUser(server, boss, 'pat@example.org');
    const set = (fields: Fields): Promise<Answer> =>
      admin('changePasswordForUser', { username: 'pat@example.org', ...fields });
    expect((await set({ newPassword: 'second horse' })).status).to.equal(200);
    expect((await login('pat@example.org', 'second horse')).status).to.equal(200);
    const answer = await set({
      generateRandom: 'true',
      sendEmail: 'true',
      includePassword: 'true',
      forcePasswordChange: 'true',
    });
    expect(answer.status, answer.body.toString()).to.equal(200);
    const password = /Your new password is: ([0-9a-f]{12})\b/.exec(mail.lastTo('pat@example.org'))?.[1] ?? '';
    expect(answer.body.toString()).not.to.contain(password === '' ? 'no mail came' : password);
    expect(json<{ user: object }>(await login('pat@example.org', password)).user).to.have.nested.property(
      'user_metadata.firstLogin',
      true,
    );
    await set({ newPassword: 'third horse', sendEmail: 'true' });
    expect(mail.lastTo('pat@example.org')).to.contain('https://docs.example.org/login').and.not.contain('third horse');
    for (const [fields, code] of [
      [{}, 'PASSWORD_INVALID'],
      [{ newPassword: '12345' }, 'PASSWORD_INVALID'],
      [{ username: 'climber', newPassword: 'fourth horse', sendEmail: 'true' }, 'MAIL_UNUSABLE'],
      [{ username: bossName, newPassword: 'fourth horse' }, 'ACCOUNT_OWN'],
      [{ username: 'oauth2.sso', newPassword: 'fourth horse' }, 'PASSWORD_INVALID'],
    ] as const) {
      expectProblem(await set(fields as Fields), 400, code);
    }
    expectProblem(await set({ username: 'nobody.here', newPassword: 'fourth horse' }), 404, 'USER_UNKNOWN');
  });

  it('invites by mail, and reports for each failed address why', async () => {
    const invite = (fields: Fields): Promise<Answer> => admin('inviteUsers', fields);
    const answer = await invite({
      emails: ` Uma@example.org,uma@example.org, refused@example.org,pat@example.org,not an address,vic@example.org `,
      role: 'ROLE_LIMITED_API_USER',
    });
    const { successCount, failureCount, errors, message } = json<{
      successCount: number;
      failureCount: number;
      errors: string;
      message: string;
    }>(answer);
    expect([successCount, failureCount]).to.deep.equal([2, 3]);
    expect(message).to.be.a('string');
    expect(errors.split('; ').map((line) => line.split(':')[0])).to.deep.equal([
      'refused@example.org',
      'pat@example.org',
      'not an address',
    ]);
    const password = /Password: (\S+)/.exec(mail.lastTo('uma@example.org'))?.[1] ?? '';
    expect(json<{ user: object }>(await login('uma@example.org', password)).user).to.deep.include({
      role: 'ROLE_LIMITED_API_USER',
      user_metadata: { firstLogin: true },
    });
    expectProblem(await admin('deleteUser/refused@example.org'), 404, 'USER_UNKNOWN');
    for (const fields of [
      { emails: ' , ,' },
      { emails: 'pat@example.org' },
      { emails: 'new@example.org', role: 'KING' },
    ])
      expect((await invite(fields)).status).to.equal(400);
    expect(json<{ error: string }>(await invite({ emails: 'pat@example.org' })).error).to.contain('already exists');
  });

  it('refuses invitations where invites or mail are off, or the licence is full', async () => {
    const small = await startWithLogin({}, { licence: { tier: 'free' }, mail: { ...mail.settings } });
    const off = await startWithLogin({}, { mail: { enableInvites: true } });
    try {
      const [chief, other] = [await sessionOf(small), await sessionOf(off)];
      for (let i = 0; i < 4; i++) await addUser(small, chief, `user${i}`);
      const full = await sendFields(small, '/api/v1/user/admin/saveUser', saved(), chief);
      expect(expectProblem(full, 400, 'USER_CAP_REACHED').detail).to.contain('5 users');
      expectProblem(
        await sendFields(small, '/api/v1/user/admin/inviteUsers', { emails: 'a@example.org' }, chief),
        400,
        'USER_CAP_REACHED',
      );
      const pending = { username: 'one.more', password: 'correct horse' };
      expect((await sendJson(small, '/api/v1/user/register', pending, chief)).status, 'takes no seat').to.equal(201);
      expectProblem(await sendFields(small, '/api/v1/team/create', { name: 'Blue' }, chief), 403, 'LICENCE_TOO_LOW');
      expectProblem(
        await sendFields(off, '/api/v1/user/admin/inviteUsers', { emails: 'a@example.org' }, other),
        503,
        'SERVICE_NOT_SET_UP',
      );
    } finally {
      await Promise.all([small.stop(), off.stop()]);
    }
  });
});
