import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, bossName, globalKey, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

const api = (path: string): string => `/api/v1/user/${path}`;
const errorOf = (answer: Answer): unknown => json<{ error?: unknown }>(answer).error;

describe('A registered account', () => {
  let server: TestServer;
  let boss: Headers;
  let made = 0;
  /** A new user with a session. */
  const someone = async (): Promise<{ session: Headers }> => {
    const { username, password } = await addUser(server, boss, `someone${made++}`);
    return { session: await sessionOf(server, username, password) };
  };
  const login = (username: string, password: string): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', { username, password });

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  const register = (body: unknown): Promise<Answer> => sendJson(server, api('register'), body, boss);

  it('is created disabled, and can log in once an administrator enables it', async () => {
    const answer = await register({
      username: 'New.User',
      password: 'correct horse',
      role: 'ROLE_ADMIN',
      enabled: true,
      id: 1,
    });
    expect(answer.status).to.equal(201);
    const { user, message } = json<{ user: Record<string, unknown>; message: string }>(answer);
    expect(message).to.be.a('string');
    expect(user).to.have.all.keys('id', 'email', 'username', 'role', 'enabled', 'app_metadata');
    expect(user).to.deep.include({
      email: 'New.User',
      username: 'New.User',
      role: 'ROLE_USER',
      enabled: false,
      app_metadata: { provider: 'web' },
    });
    expect((await login('new.user', 'correct horse')).status).to.equal(401);
    await sendFields(server, api('admin/changeUserEnabled/New.User'), { enabled: 'true' }, boss);
    expect((await login('new.user', 'correct horse')).status).to.equal(200);
  });

  it('is refused for a used name, an invalid name and a short password', async () => {
    const taken = await register({ username: bossName.toUpperCase(), password: 'correct horse' });
    expectProblem(taken, 400, 'REGISTRATION_REFUSED');
    expect(errorOf(taken)).to.contain('already exists');
    for (const username of ['ab', 'x'.repeat(51), 'аdmin', 'all_users', 'AnonymousUser', 'a..b', '<b>bold</b>'])
      expectProblem(await register({ username, password: 'correct horse' }), 400, 'USERNAME_INVALID');
    for (const password of ['', '12345', 'x'.repeat(1025)])
      expectProblem(await register({ username: 'other.user', password }), 400, 'PASSWORD_INVALID');
  });

  it('names every faulty member of the body', async () => {
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['/username', '/password']],
      [{ username: 1, password: true }, ['/username', '/password']],
      [{ username: null, password: ['x'] }, ['/username', '/password']],
      [{ username: 'x'.repeat(321), password: 'correct horse' }, ['/username']],
      [{ username: 'fine', password: 'x'.repeat(2049) }, ['/password']],
      [{ username: { $ne: '' }, password: 'correct horse' }, ['/username']],
    ];
    for (const [body, wrong] of cases)
      expect(
        pointers(expectProblem(await register(body), 400, 'INPUT_INVALID')),
        JSON.stringify(body).slice(0, 60),
      ).to.deep.equal(wrong);
    for (const body of [null, [], 'x', 1, true]) expectProblem(await register(body), 400, 'INPUT_INVALID');
  });

  it('is limited to ten accounts that nobody has enabled yet, for each user who is not an administrator', async () => {
    const [one, other] = [await someone(), await someone()];
    const registerAs = async (session: Headers, username: string): Promise<Answer> =>
      sendJson(server, api('register'), { username, password: 'correct horse' }, session);
    const answers = await Promise.all(Array.from({ length: 15 }, (_, i) => registerAs(one.session, `crowd${i}`)));
    expect(answers.filter(({ status }) => status === 201).length).to.be.at.most(10);
    await registerAs(one.session, 'crowd.first');
    const [someName = 'crowd.first'] = answers.flatMap((answer) =>
      answer.status === 201 ? json<{ user: { username: string } }>(answer).user.username : [],
    );
    while ((await registerAs(one.session, `crowd.more${made++}`)).status === 201);
    const { detail } = expectProblem(await registerAs(one.session, 'eleventh'), 429, 'REGISTRATION_LIMIT');
    expect(detail).to.contain('10 accounts').and.contain('administrator');
    expect((await registerAs(other.session, 'of.another')).status).to.equal(201);
    expect((await register({ username: 'of.the.boss', password: 'correct horse' })).status).to.equal(201);
    await sendFields(server, api(`admin/changeUserEnabled/${someName}`), { enabled: 'true' }, boss);
    expect((await registerAs(one.session, 'eleventh')).status, 'one of the ten was enabled').to.equal(201);
  });

  it('takes no seat of the user limit until an administrator enables the account', async () => {
    const small = await startWithLogin({}, { premium: { maxUsers: 3 } });
    try {
      const chief = await sessionOf(small);
      const { username, password } = await addUser(small, chief, 'member');
      const member = await sessionOf(small, username, password);
      const enable = (name: string): Promise<Answer> =>
        sendFields(small, api(`admin/changeUserEnabled/${name}`), { enabled: 'true' }, chief);
      for (const name of ['late.one', 'late.two', 'late.three'])
        expect(
          (await sendJson(small, api('register'), { username: name, password: 'correct horse' }, member)).status,
        ).to.equal(201);
      expect((await enable('late.one')).status).to.equal(200);
      expect((await sessionOf(small, 'late.one', 'correct horse')).authorization).to.be.a('string');
      expectProblem(await enable('late.two'), 400, 'USER_CAP_REACHED');
      expect(
        (
          await sendFields(
            small,
            api('admin/saveUser'),
            { username: 'fourth', password: 'correct horse', role: 'ROLE_USER', authType: 'web' },
            chief,
          )
        ).status,
      ).to.equal(400);
      await sendFields(small, api('admin/deleteUser/late.one'), {}, chief);
      expect((await enable('late.two')).status, 'a seat is free again').to.equal(200);
      await sendFields(small, api('admin/changeUserEnabled/late.two'), { enabled: 'false' }, chief);
      expectProblem(await enable('late.three'), 400, 'USER_CAP_REACHED');
    } finally {
      await small.stop();
    }
  });

  it('is created once when two calls race', async () => {
    const answers = await Promise.all(
      ['twice', 'TWICE', 'Twice'].map((username) => register({ username, password: 'correct horse' })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 400, 400]);
  });

  it('cannot be created with the global key, whose user has no password, keys or second factor either', async () => {
    const headers = { 'x-api-key': globalKey };
    const named = '/api/v1/proprietary/ui-data/infrastructure/api-keys';
    for (const [method, path] of [
      ['POST', api('register')],
      ['POST', api('change-password')],
      ['POST', api('change-password-on-login')],
      ['POST', api('change-username')],
      ['POST', api('updateUserSettings')],
      ['POST', api('complete-initial-setup')],
      ['POST', api('get-api-key')],
      ['POST', api('update-api-key')],
      ['GET', named],
      ['POST', named],
      ['DELETE', `${named}/x`],
      ['GET', '/api/v1/auth/mfa/setup'],
      ['POST', '/api/v1/auth/mfa/enable'],
      ['POST', '/api/v1/auth/mfa/disable'],
      ['POST', '/api/v1/auth/mfa/setup/cancel'],
      ['GET', '/api/v1/proprietary/ui-data/account'],
    ] as const) {
      const { detail } = expectProblem(
        await send(`${server.url}${path}`, { method, headers }),
        403,
        'BUILT_IN_REFUSED',
      );
      expect(detail).to.contain('security.customGlobalAPIKey').and.contain('personal API key');
    }
    expect(
      json(await send(`${server.url}/api/v1/auth/me`, { headers })),
      'its calls are still possible',
    ).to.have.nested.property('user.username', 'CUSTOM_API_USER');
  });
});
