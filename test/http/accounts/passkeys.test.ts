import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, json, pointers, send } from '../support/client.js';
import {
  addUser,
  bossName,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
  startWithLogin,
} from '../support/login.js';
import { passkeyCalls, sessionFrom } from '../support/passkeys.js';
import { flags, SoftwarePasskey, type Algorithm } from '../support/software-authenticator.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

const site = 'https://pdf.example.org';
const system = { frontendUrl: site };

describe('Passkeys', () => {
  let server: TestServer;
  let boss: Headers;
  let count = 0;
  const calls = passkeyCalls(() => server);
  const { call, register, login, list, creation, finishRegistration, beginRegistration } = calls;
  const me = async (headers: Headers): Promise<number> => (await call('GET', 'auth/me', headers)).status;
  const someone = async (): Promise<{ username: string; password: string; session: Headers }> => {
    const { username, password } = await addUser(server, boss, `holder${++count}`);
    return { username, password, session: await sessionOf(server, username, password) };
  };
  const passkeyOf = async (session: Headers, algorithm?: Algorithm): Promise<SoftwarePasskey> => {
    const passkey = new SoftwarePasskey(site, algorithm);
    const answer = await register(session, passkey);
    expect(answer.status, answer.body.toString()).to.equal(201);
    return passkey;
  };

  before(async () => {
    server = await startWithLogin(
      { throttle: { wrongPasswords: 1000, wrongPasswordsPerAddress: 10_000 }, loginAttemptCount: -1 },
      { system },
    );
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('are registered in a session and log their user in without a name and a password', async () => {
    const { username, session } = await someone();
    const options = await creation(session);
    expect(options).to.deep.include({
      rp: { id: 'pdf.example.org', name: 'Quire' },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    });
    expect(options.user).to.include({ name: username, displayName: username });
    expect(Buffer.from(options.user.id, 'base64url').length).to.equal(32);
    expect(Buffer.from(options.challenge, 'base64url').length).to.equal(32);
    const passkey = new SoftwarePasskey(site);
    const bits = flags.PRESENT | flags.VERIFIED | flags.SYNCABLE | flags.BACKED_UP;
    const made = await finishRegistration(session, passkey.create(options, { flags: bits | flags.ATTESTED }), {
      name: '  Phone ',
    });
    expect(made.status, made.body.toString()).to.equal(201);
    const [listed, ...others] = await list(session);
    expect(others).to.deep.equal([]);
    expect(json(made)).to.deep.equal({ passkey: listed });
    expect(listed).to.deep.include({
      name: 'Phone',
      lastUsed: null,
      rpId: 'pdf.example.org',
      syncable: true,
      backedUp: true,
      suspect: false,
      transports: ['internal', 'hybrid'],
    });
    const answer = await login(passkey, { flags: flags.PRESENT | flags.VERIFIED | flags.SYNCABLE });
    const own = sessionFrom(answer);
    expect(json(answer)).to.have.nested.property('user.username', username);
    expect(json(await call('GET', 'auth/me', own))).to.have.nested.property('user.username', username);
    const [used] = await list(own);
    expect(used).to.include({ backedUp: false });
    expect(Date.parse(used?.lastUsed ?? '')).to.be.at.least(Date.parse(used?.created ?? ''));
    const sessions = json<{ sessions: { method: string }[] }>(await call('GET', 'auth/sessions', own)).sessions;
    expect(sessions.map(({ method }) => method)).to.deep.equal(['passkey', 'password']);
  });

  it('of all three kinds of keys work, and count their uses if they do', async () => {
    const { session } = await someone();
    for (const algorithm of [-7, -8, -257] as const) {
      const passkey = await passkeyOf(session, algorithm);
      expect((await login(passkey)).status, String(algorithm)).to.equal(200);
      for (const counter of [1, 2, 4_000_000_000]) expect((await login(passkey, { counter })).status).to.equal(200);
    }
    expect((await list(session)).map(({ name }) => name)).to.deep.equal(['Passkey 1', 'Passkey 2', 'Passkey 3']);
  });

  it('log in with a user name too, which reveals nothing about who exists', async () => {
    const { username, session } = await someone();
    const passkey = await passkeyOf(session);
    expect((await login(passkey, {}, username.toUpperCase())).status).to.equal(200);
    const shapes = await Promise.all(
      [username, 'nobody.at.all', bossName, undefined].map(async (name) => {
        const { attempt, publicKey } = await calls.beginLogin(name);
        return [attempt.length, { ...publicKey, challenge: publicKey.challenge.length }];
      }),
    );
    for (const shape of shapes) expect(shape).to.deep.equal(shapes[0]);
    expect(shapes[0]?.[1]).to.deep.include({
      rpId: 'pdf.example.org',
      allowCredentials: [],
      userVerification: 'required',
    });
    expectProblem(await login(passkey, {}, bossName), 401, 'PASSKEY_FAILED');
    expectProblem(await login(passkey, {}, 'nobody.at.all'), 401, 'PASSKEY_FAILED');
  });

  it('count as both factors: no code is asked, and who must set up a factor may register a passkey', async () => {
    const { username, password, session } = await someone();
    const passkey = await passkeyOf(session);
    const { secret } = json<{ secret: string }>(await call('GET', 'auth/mfa/setup', session));
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await sendJson(server, '/api/v1/auth/mfa/enable', { code }, session)).status).to.equal(200);
    expectProblem(await sendJson(server, '/api/v1/auth/login', { username, password }), 401, 'MFA_CODE_REQUIRED');
    expect((await login(passkey)).status).to.equal(200);

    await sendFields(
      server,
      '/api/v1/user/admin/saveUser',
      { username: 'strict', password: 'password of strict', role: 'ROLE_USER', authType: 'web', forceMFA: 'true' },
      boss,
    );
    const bare = await sessionOf(server, 'strict', 'password of strict');
    expectProblem(await call('GET', 'user/users', bare), 403, 'MFA_SETUP_REQUIRED');
    const own = await passkeyOf(bare);
    expectProblem(await call('GET', 'user/users', bare), 403, 'MFA_SETUP_REQUIRED');
    const strong = sessionFrom(await login(own));
    expect((await call('GET', 'user/users', strong)).status).to.equal(200);
    const weak = await sessionOf(server, 'strict', 'password of strict');
    const refused = expectProblem(await call('GET', 'user/users', weak), 403, 'MFA_SETUP_REQUIRED');
    expect(refused.detail, 'the password alone is still not enough').to.contain('passkey');
  });

  it('do not spare their user a forced change of the password', async () => {
    const { username, session } = await someone();
    const passkey = await passkeyOf(session);
    const forced = { username, newPassword: 'given by the boss', forcePasswordChange: 'true' };
    expect((await sendFields(server, '/api/v1/user/admin/changePasswordForUser', forced, boss)).status).to.equal(200);
    const own = sessionFrom(await login(passkey));
    expectProblem(await call('GET', 'user/users', own), 403, 'PASSWORD_CHANGE_REQUIRED');
    expectProblem(await beginRegistration(own), 403, 'PASSWORD_CHANGE_REQUIRED');
  });

  it('are registered and removed with a session only, never with a key', async () => {
    const { session, password } = await someone();
    const key = { 'x-api-key': await keyOf(server, session) };
    const passkey = await passkeyOf(session);
    const [{ id } = { id: '' }] = await list(session);
    for (const [headers, code] of [
      [key, 'SESSION_REQUIRED'],
      [{ 'x-api-key': globalKey }, 'BUILT_IN_REFUSED'],
    ] as const)
      for (const answer of [
        await beginRegistration(headers, { password }),
        await finishRegistration(headers, passkey.create(await creation(session))),
        await call('GET', 'auth/passkeys', headers),
        await sendJson(server, `/api/v1/auth/passkeys/${id}`, { name: 'x' }, headers, 'PATCH'),
        await call('DELETE', `auth/passkeys/${id}`, headers),
      ])
        expectProblem(answer, 403, code);
    expect(await list(session)).to.have.length(1);
  });

  it('end the other sessions of their user when one is registered or removed', async () => {
    const { username, password, session } = await someone();
    const before = await sessionOf(server, username, password);
    const passkey = await passkeyOf(session);
    expect([await me(session), await me(before)]).to.deep.equal([200, 401]);
    const [byPasskey, byPassword] = [sessionFrom(await login(passkey)), await sessionOf(server, username, password)];
    const [{ id } = { id: '' }] = await list(session);
    const renamed = await sendJson(server, `/api/v1/auth/passkeys/${id}`, { name: 'Key ring' }, session, 'PATCH');
    expect(json(renamed)).to.have.nested.property('passkey.name', 'Key ring');
    expect(await me(byPasskey), 'a new name changes nothing').to.equal(200);
    expect((await call('DELETE', `auth/passkeys/${id}`, session)).status).to.equal(204);
    expect([await me(session), await me(byPasskey), await me(byPassword)]).to.deep.equal([200, 401, 401]);
    expect(await list(session)).to.deep.equal([]);
    expectProblem(await login(passkey), 401, 'PASSKEY_UNKNOWN');
    expectProblem(await call('DELETE', `auth/passkeys/${id}`, session), 404, 'NOT_FOUND');
  });

  it('of another user are neither listed, renamed nor removed, except by administrators', async () => {
    const [ann, bob] = [await someone(), await someone()];
    const [first, second] = [await passkeyOf(ann.session), await passkeyOf(ann.session)];
    const ids = (await list(ann.session)).map(({ id }) => id);
    expect(await list(bob.session)).to.deep.equal([]);
    expectProblem(
      await sendJson(server, `/api/v1/auth/passkeys/${ids[0]}`, { name: 'mine' }, bob.session, 'PATCH'),
      404,
      'NOT_FOUND',
    );
    expectProblem(await call('DELETE', `auth/passkeys/${ids[0]}`, bob.session), 404, 'NOT_FOUND');
    const path = `user/admin/passkeys/${ann.username}`;
    for (const [method, below] of [
      ['GET', path],
      ['DELETE', path],
      ['DELETE', `${path}/${ids[0]}`],
    ] as const)
      expectProblem(await call(method, below, bob.session), 403, 'ADMIN_ONLY');
    expect((await list(boss, path)).map(({ id }) => id)).to.deep.equal(ids);
    expectProblem(await call('GET', 'user/admin/passkeys/nobody.here', boss), 404, 'USER_UNKNOWN');
    expectProblem(await call('GET', 'user/admin/passkeys/CUSTOM_API_USER', boss), 400, 'ACCOUNT_BUILT_IN');
    const session = sessionFrom(await login(first));
    expect((await call('DELETE', `${path}/${ids[0]}`, boss)).status).to.equal(204);
    expect(await me(session)).to.equal(401);
    expectProblem(await login(first), 401, 'PASSKEY_UNKNOWN');
    expectProblem(await call('DELETE', `${path}/${ids[0]}`, boss), 404, 'NOT_FOUND');
    expect(json(await call('DELETE', path, boss))).to.deep.equal({ removed: 1 });
    expectProblem(await login(second), 401, 'PASSKEY_UNKNOWN');
  });

  it('are removed by a password change that asks for it, and only then', async () => {
    const { password, session } = await someone();
    const passkey = await passkeyOf(session);
    const change = (currentPassword: string, newPassword: string, more: object = {}) =>
      sendFields(server, '/api/v1/user/change-password', { currentPassword, newPassword, ...more }, session);
    const wrong = await change(password, 'second words', { revokePasskeys: 'perhaps' });
    expect(pointers(expectProblem(wrong, 400, 'INPUT_INVALID'))).to.deep.equal(['/revokePasskeys']);
    expectProblem(await change('wrong words', 'second words', { revokePasskeys: 'true' }), 401, 'PASSWORD_WRONG');
    expect((await change(password, 'second words')).status).to.equal(200);
    const other = sessionFrom(await login(passkey));
    expect((await change('second words', 'third words', { revokePasskeys: 'true' })).status).to.equal(200);
    expect([await me(session), await me(other)], 'the session that asked goes on').to.deep.equal([200, 401]);
    expectProblem(await login(passkey), 401, 'PASSKEY_UNKNOWN');
    expect(await list(session)).to.deep.equal([]);
  });

  it('do not log in disabled and deleted users', async () => {
    const { username, session } = await someone();
    const passkey = await passkeyOf(session);
    await setEnabled(server, boss, username, false);
    expectProblem(await login(passkey), 401, 'LOGIN_DISABLED');
    expectProblem(await login(passkey, { signature: Buffer.from('no') }), 401, 'PASSKEY_FAILED');
    await setEnabled(server, boss, username, true);
    expect((await login(passkey)).status).to.equal(200);
    expect((await sendFields(server, `/api/v1/user/admin/deleteUser/${username}`, {}, boss)).status).to.equal(200);
    expectProblem(await login(passkey), 401, 'PASSKEY_UNKNOWN');
    await addUser(server, boss, username);
    expectProblem(await login(passkey), 401, 'PASSKEY_UNKNOWN');
  });

  it('are refused to demo users, who share an account', async () => {
    await addUser(server, boss, 'visitor', 'ROLE_DEMO_USER');
    expectProblem(
      await beginRegistration(await sessionOf(server, 'visitor', 'password of visitor')),
      403,
      'DEMO_REFUSED',
    );
  });

  it('are at most twenty, also when they are registered at the same moment', async () => {
    const { username, password, session } = await someone();
    for (let i = 0; i < 19; i++) await passkeyOf(session);
    const other = await sessionOf(server, username, password);
    const [mine, theirs] = [await creation(session), await creation(other)];
    const answers = await Promise.all([
      finishRegistration(session, new SoftwarePasskey(site).create(mine)),
      finishRegistration(other, new SoftwarePasskey(site).create(theirs)),
    ]);
    expect(answers.filter(({ status }) => status === 201).length).to.be.at.most(1);
    const asking = (await me(session)) === 200 ? session : other;
    if ((await list(asking)).length < 20) await passkeyOf(asking);
    expect(await list(asking)).to.have.length(20);
    const { detail } = expectProblem(await beginRegistration(asking), 429, 'PASSKEY_LIMIT');
    expect(detail).to.contain('20 passkeys').and.contain('Remove one');
  });

  it('name every faulty member of a body', async () => {
    const { session } = await someone();
    const credential = new SoftwarePasskey(site).create(await creation(session));
    for (const [body, wrong] of [
      [{}, ['/credential']],
      [{ credential: 'x' }, ['/credential']],
      [{ credential, name: '' }, ['/name']],
      [{ credential, name: 'x'.repeat(101) }, ['/name']],
      [{ credential: { ...credential, id: 'a+b=' } }, ['/credential/id']],
      [{ credential: { ...credential, id: 'a'.repeat(1365) } }, ['/credential/id']],
      [{ credential: { ...credential, type: 'password' } }, ['/credential/type']],
      [
        { credential: { ...credential, response: {} } },
        ['/credential/response/clientDataJSON', '/credential/response/attestationObject'],
      ],
    ] as const) {
      const answer = await sendJson(server, '/api/v1/auth/passkeys/registration/finish', body, session);
      expect(pointers(expectProblem(answer, 400, 'INPUT_INVALID')), JSON.stringify(body).slice(0, 80)).to.deep.equal([
        ...wrong,
      ]);
    }
    const finish = `${server.url}/api/v1/auth/passkeys/login/finish`;
    const huge = JSON.stringify({ attempt: 'x', credential: 'x'.repeat(70_000) });
    const type = { 'content-type': 'application/json' };
    expectProblem(await send(finish, { method: 'POST', headers: type, body: huge }), 413, 'INPUT_TOO_LARGE');
    expectProblem(await send(finish, { method: 'POST', headers: type, body: '{"attempt":' }), 400, 'INPUT_MALFORMED');
  });
});

describe('Passkeys of a login that was a while ago', () => {
  let server: TestServer;
  const calls = passkeyCalls(() => server);

  before(async () => {
    server = await startWithLogin({ recentLoginMinutes: 0 }, { system });
  });
  after(() => server.stop());

  it('are registered with the password only, and removed after another login', async () => {
    const boss = await sessionOf(server);
    const { username, password } = await addUser(server, boss, 'late');
    const session = await sessionOf(server, username, password);
    expectProblem(await calls.beginRegistration(session), 403, 'PASSWORD_REQUIRED');
    expectProblem(await calls.beginRegistration(session, { password: 'wrong' }), 401, 'PASSWORD_WRONG');
    const passkey = new SoftwarePasskey(site);
    const begun = await calls.beginRegistration(session, { password });
    const { publicKey } = json<{ publicKey: Parameters<typeof passkey.create>[0] }>(begun);
    expect((await calls.finishRegistration(session, passkey.create(publicKey))).status).to.equal(201);
    const [{ id } = { id: '' }] = await calls.list(session);
    const refused = expectProblem(await calls.call('DELETE', `auth/passkeys/${id}`, session), 403, 'PASSWORD_REQUIRED');
    expect(refused.detail).to.contain('Log in again').and.not.contain('field');
    expect((await calls.list(session)).length).to.equal(1);
  });
});

describe('Passkeys with settings that contradict each other', () => {
  it('stop the start, naming the setting', async () => {
    const refusal = await startWithLogin({ passkeys: { rpId: 'example.net' } }, { system }).then(
      async (server) => server.stop().then(() => 'it started'),
      (error: unknown) => String(error),
    );
    expect(refusal).to.contain('security.passkeys.rpId').and.contain('pdf.example.org');
  });
});

describe('Passkeys that the operator has turned off', () => {
  it('are neither registered nor used, but can still be listed and removed', async () => {
    const server = await startWithLogin({ passkeys: { enabled: false } }, { system });
    const { call, list, beginRegistration } = passkeyCalls(() => server);
    try {
      const boss = await sessionOf(server);
      const { detail } = expectProblem(await beginRegistration(boss), 403, 'FEATURE_OFF');
      expect(detail).to.contain('security.passkeys.enabled');
      for (const path of ['login/begin', 'login/finish', 'registration/finish'])
        expectProblem(await sendJson(server, `/api/v1/auth/passkeys/${path}`, {}, boss), 403, 'FEATURE_OFF');
      expect(await list(boss)).to.deep.equal([]);
      expectProblem(await call('DELETE', 'auth/passkeys/x', boss), 404, 'NOT_FOUND');
      expect(json(await call('GET', 'proprietary/ui-data/login', {}))).to.include({ passkeys: false });
    } finally {
      await server.stop();
    }
  });

  it('with all logins of this server log nobody in', async () => {
    const server = await startWithLogin({ loginMethod: 'oauth2' }, { system });
    try {
      for (const [path, body] of [
        ['begin', {}],
        [
          'finish',
          {
            attempt: 'x',
            credential: new SoftwarePasskey(site).get({ challenge: 'x', rpId: 'x', allowCredentials: [] }),
          },
        ],
      ] as const) {
        const answer = await sendJson(server, `/api/v1/auth/passkeys/login/${path}`, body);
        expect(expectProblem(answer, 403, 'LOGIN_METHOD_OFF').detail).to.contain('passkey');
      }
    } finally {
      await server.stop();
    }
  });
});
