import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, globalKey, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

const NAMED = '/api/v1/proprietary/ui-data/infrastructure/api-keys';

/** Calls of the account endpoints of one server. */
function callsOf(server: () => TestServer) {
  const call = (method: string, path: string, headers: Headers): Promise<Answer> =>
    send(`${server().url}/api/v1/${path}`, { method, headers });
  return {
    call,
    create: (headers: Headers, body: object): Promise<Answer> => sendJson(server(), NAMED, body, headers),
    enable: (headers: Headers, body: object): Promise<Answer> =>
      sendJson(server(), '/api/v1/auth/mfa/enable', body, headers),
    secretOf: async (headers: Headers): Promise<string> =>
      json<{ secret: string }>(await call('GET', 'auth/mfa/setup', headers)).secret,
    me: async (headers: Headers): Promise<number> => (await call('GET', 'auth/me', headers)).status,
  };
}

const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

describe('A stolen API key', () => {
  let server: TestServer;
  let boss: Headers;
  const { call, create, enable, me } = callsOf(() => server);

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('creates no keys, turns on no second factor and sees no sessions, even with the password', async () => {
    const { username, password } = await addUser(server, boss, 'victim');
    const session = await sessionOf(server, username, password);
    const single = await keyOf(server, session);
    const named = json<{ secret: string }>(await create(session, { name: 'build' })).secret;
    for (const key of [single, named]) {
      const headers = { 'x-api-key': key };
      for (const answer of [
        await create(headers, { name: 'further', password }),
        await call('POST', 'user/update-api-key', headers),
        await call('GET', 'auth/mfa/setup', headers),
        await enable(headers, { code: '123456', password }),
        await sendJson(server, '/api/v1/auth/mfa/disable', { code: '123456' }, headers),
        await call('POST', 'auth/mfa/setup/cancel', headers),
        await call('GET', 'auth/sessions', headers),
        await call('DELETE', 'auth/sessions', headers),
        await create({ ...headers, ...session }, { name: 'further', password }),
      ])
        expect(expectProblem(answer, 403, 'SESSION_REQUIRED')).to.include({ error: 'session_required' });
    }
    expect(await keyOf(server, { 'x-api-key': single }), 'it may read itself').to.equal(single);
    expectProblem(await call('POST', 'user/get-api-key', { 'x-api-key': named }), 403, 'SESSION_REQUIRED');
    expectProblem(await create({ 'x-api-key': globalKey }, { name: 'x' }), 403, 'BUILT_IN_REFUSED');
    expect(json<{ keys: object[] }>(await send(`${server.url}${NAMED}`, { headers: session })).keys).to.have.length(2);
  });

  it('is revoked with all others when its owner changes the password and asks for it', async () => {
    const { username, password } = await addUser(server, boss, 'owner');
    const [session, other] = [await sessionOf(server, username, password), await sessionOf(server, username, password)];
    const keys = [await keyOf(server, session), json<{ secret: string }>(await create(session, { name: 'x' })).secret];
    const change = (currentPassword: string, newPassword: string, more: object = {}): Promise<Answer> =>
      sendFields(server, '/api/v1/user/change-password', { currentPassword, newPassword, ...more }, session);
    const works = async (): Promise<number[]> => Promise.all(keys.map((key) => me({ 'x-api-key': key })));
    expect((await change(password, 'second words')).status).to.equal(200);
    expect(await works(), 'not asked for').to.deep.equal([200, 200]);
    expect(
      pointers(expectProblem(await change('second words', 'x words', { revokeKeys: 'maybe' }), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/revokeKeys']);
    expectProblem(await change('wrong words', 'third words', { revokeKeys: 'true' }), 401, 'PASSWORD_WRONG');
    expect(await works(), 'the password was wrong').to.deep.equal([200, 200]);
    expect((await change('second words', 'third words', { revokeKeys: 'true' })).status).to.equal(200);
    expect(await works()).to.deep.equal([401, 401]);
    expect([await me(session), await me(other)], 'the session that asked goes on').to.deep.equal([200, 401]);
    const fresh = await keyOf(server, session);
    expect(keys).not.to.include(fresh);
    const onLogin = await sendFields(
      server,
      '/api/v1/user/change-password-on-login',
      {
        currentPassword: 'third words',
        newPassword: 'fourth words',
        confirmPassword: 'fourth words',
        revokeKeys: 'true',
      },
      session,
    );
    expect(onLogin.status, onLogin.body.toString()).to.equal(200);
    expect(await me({ 'x-api-key': fresh })).to.equal(401);
  });
});

describe('A session of a login that was a while ago', () => {
  let server: TestServer;
  let boss: Headers;
  const { call, create, enable, secretOf, me } = callsOf(() => server);

  before(async () => {
    server = await startWithLogin({ recentLoginMinutes: 0 });
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('creates a key only with the password', async () => {
    const { username, password } = await addUser(server, boss, 'maker');
    const session = await sessionOf(server, username, password);
    const refused = expectProblem(await create(session, { name: 'x' }), 403, 'PASSWORD_REQUIRED');
    expect((refused as unknown as { detail: string }).detail).to.contain('in the field "password"');
    expectProblem(await create(session, { name: 'x', password: 'wrong' }), 401, 'PASSWORD_WRONG');
    const made = await create(session, { name: 'x', password });
    expect(await me({ 'x-api-key': json<{ secret: string }>(made).secret })).to.equal(200);
    for (const path of ['user/get-api-key', 'user/update-api-key']) {
      const problem = expectProblem(await call('POST', path, session), 403, 'PASSWORD_REQUIRED');
      expect((problem as unknown as { detail: string }).detail)
        .to.contain('Log in again')
        .and.not.contain('field');
    }
  });

  it('turns on a second factor only with the password', async () => {
    const { username, password } = await addUser(server, boss, 'guarded');
    const session = await sessionOf(server, username, password);
    const secret = await secretOf(session);
    expectProblem(await enable(session, { code: codeOf(secret) }), 403, 'PASSWORD_REQUIRED');
    expectProblem(await enable(session, { code: codeOf(secret), password: 'wrong' }), 401, 'PASSWORD_WRONG');
    expect((await enable(session, { code: codeOf(secret), password })).status).to.equal(200);
  });

  it('cannot be used to guess the password', async () => {
    const { username, password } = await addUser(server, boss, 'guessed');
    const session = await sessionOf(server, username, password);
    for (let i = 0; i < 5; i += 1)
      expectProblem(await create(session, { name: 'x', password: `guess ${i}` }), 401, 'PASSWORD_WRONG');
    expectProblem(await create(session, { name: 'x', password }), 429, 'ATTEMPTS_USED_UP');
  });
});
