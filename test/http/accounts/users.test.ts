import { expect } from 'chai';
import { expectProblem, field, json, pointers, post, send, type Answer } from '../support/client.js';
import { addUser, bossName, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

describe('Your own account', () => {
  let server: TestServer;
  let boss: Headers;
  let made = 0;
  const api = (path: string): string => `/api/v1/user/${path}`;
  /** A new user with a session. */
  const someone = async (role?: string): Promise<{ name: string; password: string; session: Headers }> => {
    const { username, password } = await addUser(server, boss, `someone${made++}`, role);
    return { name: username, password, session: await sessionOf(server, username, password) };
  };
  const login = (username: string, password: string): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', { username, password });
  const errorOf = (answer: Answer): unknown => json<{ error?: unknown }>(answer).error;

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  describe('with a new password', () => {
    it('logs in with the new password, and its other sessions end', async () => {
      const { name, password, session } = await someone();
      const other = await sessionOf(server, name, password);
      const key = await keyOf(server, session);
      const answer = await sendFields(
        server,
        api('change-password'),
        { currentPassword: password, newPassword: 'another horse' },
        session,
      );
      expect(json(answer)).to.include({ message: 'credsUpdated' }).and.to.have.property('description');
      expect([(await login(name, password)).status, (await login(name, 'another horse')).status]).to.deep.equal([
        401, 200,
      ]);
      expect((await send(`${server.url}/api/v1/auth/me`, { headers: other })).status).to.equal(401);
      expect((await send(`${server.url}/api/v1/auth/me`, { headers: session })).status).to.equal(200);
      expect((await send(`${server.url}/api/v1/auth/me`, { headers: { 'x-api-key': key } })).status).to.equal(200);
    });

    it('reads the fields from a multipart form and from the query too', async () => {
      const { name, password, session } = await someone();
      expect(
        (
          await post(
            `${server.url}${api('change-password')}`,
            [field('currentPassword', password), field('newPassword', 'second horse')],
            session,
          )
        ).status,
      ).to.equal(200);
      const again = await sessionOf(server, name, 'second horse');
      expect(
        (
          await send(
            `${server.url}${api('change-password')}?currentPassword=second%20horse&newPassword=third%20horse`,
            { method: 'POST', headers: again },
          )
        ).status,
      ).to.equal(200);
      expect((await login(name, 'third horse')).status).to.equal(200);
    });

    it('requires the current password, and is locked for a while after five wrong ones', async () => {
      const { password, session } = await someone();
      const change = (currentPassword: string): Promise<Answer> =>
        sendFields(server, api('change-password'), { currentPassword, newPassword: 'another horse' }, session);
      for (let turn = 0; turn < 5; turn++) {
        const answer = await change('wrong horse');
        expectProblem(answer, 401, 'PASSWORD_WRONG');
        expect(errorOf(answer)).to.equal('incorrectPassword');
        expect(answer.headers['www-authenticate']).to.equal(undefined);
      }
      const last = await change(password);
      expectProblem(last, 429, 'ATTEMPTS_USED_UP');
      expect(Number(last.headers['retry-after'])).to.be.within(1, 7200);
      expect((await send(`${server.url}/api/v1/auth/me`, { headers: session })).status, 'the session goes on').to.equal(
        200,
      );
    });

    it('reports missing and repeated fields, and other content types', async () => {
      const { session } = await someone();
      const url = `${server.url}${api('change-password')}`;
      expect(
        pointers(expectProblem(await send(url, { method: 'POST', headers: session }), 400, 'INPUT_INVALID')),
      ).to.deep.equal(['/currentPassword', '/newPassword']);
      const twice = await send(url, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'currentPassword=a&currentPassword=b&newPassword=another+horse',
      });
      expect(pointers(expectProblem(twice, 400, 'INPUT_INVALID'))).to.deep.equal(['/currentPassword']);
      expectProblem(
        await sendJson(server, api('change-password'), { currentPassword: 'x', newPassword: 'y' }, session),
        415,
        'INPUT_MEDIA_TYPE',
      );
      const many = await send(url, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/x-www-form-urlencoded' },
        body: '&x=1'.repeat(101),
      });
      expectProblem(many, 413, 'INPUT_TOO_MANY_PARTS');
      const long = await send(url, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/x-www-form-urlencoded' },
        body: `newPassword=${'x'.repeat(1024 * 1024)}`,
      });
      expectProblem(long, 413, 'INPUT_TOO_LARGE');
    });

    it('must be changed at the first login, with the codes that clients compare', async () => {
      const { name, password, session } = await someone();
      const change = (fields: Record<string, string>): Promise<Answer> =>
        sendFields(server, api('change-password-on-login'), fields, session);
      const cases: readonly (readonly [Record<string, string>, number, string, string])[] = [
        [{}, 400, 'PARAMETERS_MISSING', 'missingParameters'],
        [{ currentPassword: password, newPassword: 'another horse' }, 400, 'PARAMETERS_MISSING', 'missingParameters'],
        [
          { currentPassword: password, newPassword: 'another horse', confirmPassword: 'other horse' },
          400,
          'PASSWORD_MISMATCH',
          'passwordMismatch',
        ],
        [
          { currentPassword: password, newPassword: password, confirmPassword: password },
          400,
          'PASSWORD_UNCHANGED',
          'passwordUnchanged',
        ],
        [
          { currentPassword: 'wrong horse', newPassword: 'another horse', confirmPassword: 'another horse' },
          401,
          'PASSWORD_WRONG',
          'incorrectPassword',
        ],
      ];
      for (const [fields, status, code, error] of cases) {
        const answer = await change(fields);
        expectProblem(answer, status, code);
        expect(errorOf(answer)).to.equal(error);
      }
      expect(
        (await change({ currentPassword: password, newPassword: 'another horse', confirmPassword: 'another horse' }))
          .status,
      ).to.equal(200);
      expect(json<{ user: object }>(await login(name, 'another horse')).user).to.have.nested.property(
        'user_metadata.firstLogin',
        false,
      );
    });
  });

  it('changes its name when the password is correct', async () => {
    const { name, password, session } = await someone();
    const rename = (newUsername: string, currentPasswordChangeUsername = password): Promise<Answer> =>
      sendFields(server, api('change-username'), { currentPasswordChangeUsername, newUsername }, session);
    for (const [next, given, status, code, error] of [
      [bossName, password, 409, 'USERNAME_TAKEN', 'usernameExists'],
      ['a..b', password, 400, 'USERNAME_INVALID', 'invalidUsername'],
      ['fine.name', 'wrong horse', 401, 'PASSWORD_WRONG', 'incorrectPassword'],
    ] as const) {
      const answer = await rename(next, given);
      expectProblem(answer, status, code);
      expect(errorOf(answer)).to.equal(error);
    }
    expect(json(await rename('another.name'))).to.include({ message: 'credsUpdated' });
    expect([(await login(name, password)).status, (await login('another.name', password)).status]).to.deep.equal([
      401, 200,
    ]);
  });

  it('stores texts of the client, and nothing else', async () => {
    const { session } = await someone();
    const save = (body: string): Promise<Answer> =>
      send(`${server.url}${api('updateUserSettings')}`, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json' },
        body,
      });
    expect(json(await save('{"theme":"dark","empty":""}'))).to.have.property('message');
    for (const body of [
      '{"theme":1}',
      '{"theme":null}',
      '{"theme":{"a":"b"}}',
      '{"a b":"x"}',
      `{"${'x'.repeat(101)}":"x"}`,
      `{"x":"${'x'.repeat(4001)}"}`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, 'x']))),
      '[]',
      'null',
    ]) {
      expectProblem(await save(body), 400, 'INPUT_INVALID');
    }
    expect(
      json(await send(`${server.url}${api('complete-initial-setup')}`, { method: 'POST', headers: session })),
    ).to.deep.equal({ success: true });
  });

  it('lists the users it may share with: everybody, or its team', async () => {
    const { name, session } = await someone();
    const all = json<{ username: string }[]>(
      (await send(`${server.url}${api('users')}`, { headers: session })) as Answer,
    ) as unknown as Record<string, unknown>[];
    expect(all.map(({ username }) => username))
      .to.include.members([name, bossName])
      .and.not.include('CUSTOM_API_USER');
    expect(all[0]).to.have.all.keys('userId', 'username', 'displayName', 'pictureVersion', 'teamName', 'enabled');
    const other = await startWithLogin({}, { storage: { signing: { userListScope: 'team' } } });
    try {
      const admin = await sessionOf(other);
      await addUser(other, admin, 'ann');
      await addUser(other, admin, 'bob');
      const list = async (headers: Headers): Promise<unknown[]> =>
        (json(await send(`${other.url}${api('users')}`, { headers })) as unknown as { username: string }[]).map(
          ({ username }) => username,
        );
      const ann = await sessionOf(other, 'ann', 'password of ann');
      expect(await list(ann), 'alone in the default team').to.deep.equal(['ann']);
      await sendFields(other, '/api/v1/team/create', { name: 'Blue' }, admin);
      for (const name of ['ann', 'bob']) {
        const { id } = json<{ user: { id: number } }>(
          await send(`${other.url}/api/v1/auth/me`, { headers: await sessionOf(other, name, `password of ${name}`) }),
        ).user;
        expect(
          (await sendFields(other, '/api/v1/team/addUser', { teamId: '3', userId: String(id) }, admin)).status,
        ).to.equal(200);
      }
      expect(await list(await sessionOf(other, 'ann', 'password of ann'))).to.deep.equal(['ann', 'bob']);
    } finally {
      await other.stop();
    }
  });

  it('cannot be changed by demo users', async () => {
    const { session, password } = await someone('ROLE_DEMO_USER');
    for (const [path, fields] of [
      ['change-password', { currentPassword: password, newPassword: 'another horse' }],
      ['change-password-on-login', {}],
      ['change-username', { currentPasswordChangeUsername: password, newUsername: 'demo.two' }],
      ['complete-initial-setup', {}],
    ] as const) {
      expectProblem(await sendFields(server, api(path), fields, session), 403, 'DEMO_REFUSED');
    }
    expectProblem(await send(`${server.url}/api/v1/auth/mfa/setup`, { headers: session }), 403, 'DEMO_REFUSED');
  });
});
