import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  firstSessionOf,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
  startWithLogin,
} from '../support/login.js';
import { startServer, unrulyPlugin, type TestServer } from '../support/server.js';

interface SessionAnswer {
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly access_token: string; readonly expires_in: number };
}

describe('Login', () => {
  let server: TestServer;
  const proxied = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
  const login = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', body, headers);
  const me = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    send(`${server.url}/api/v1/auth/me`, { headers });

  before(
    async () =>
      (server = await startWithLogin({}, { server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } })),
  );
  after(() => server.stop());

  it('returns the user and a token that works', async () => {
    const answer = await login({ username: ` ${bossName} `, password: bossPassword });
    expect(answer.status).to.equal(200);
    const { user, session } = json<SessionAnswer>(answer);
    expect(user).to.deep.include({
      username: bossName,
      email: bossName,
      role: 'ROLE_ADMIN',
      enabled: true,
      authenticationType: 'web',
    });
    expect(user['id']).to.be.a('number');
    expect(session.expires_in).to.equal(86_400);
    expect(decodeJwt(session.access_token)).to.include({
      sub: bossName,
      iss: 'quire',
      authType: 'web',
      role: 'ROLE_ADMIN',
    });
    const mine = await me({ authorization: `Bearer ${session.access_token}` });
    expect(json<SessionAnswer>(mine).user).to.deep.equal(user);
    expect(answer.headers['cache-control']).to.contain('no-store');
    expect(answer.headers['set-cookie']).to.equal(undefined);
  });

  it('returns a longer-lived token to desktop clients', async () => {
    const answer = await login(
      { username: bossName, password: bossPassword },
      { 'user-agent': 'Quire Desktop/1.0 (Electron)' },
    );
    expect(json<SessionAnswer>(answer).session.expires_in).to.equal(2_592_000);
  });

  it('names what is missing or wrong in the body', async () => {
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, ['/username', '/password']],
      [{ username: 'x' }, ['/password']],
      [{ username: '', password: 'x' }, ['/username']],
      [{ username: '   ', password: 'x' }, ['/username']],
      [{ username: 'x', password: '' }, ['/password']],
      [{ username: 7, password: 'x' }, ['/username']],
      [{ username: { $ne: '' }, password: { $ne: '' } }, ['/username', '/password']],
      [{ username: ['boss'], password: null }, ['/username', '/password']],
      [{ username: 'x', password: 'x', mfaCode: {} }, ['/mfaCode']],
      [{ username: 'a'.repeat(1001), password: 'x' }, ['/username']],
      [{ username: 'x', password: 'a'.repeat(5000) }, ['/password']],
    ];
    for (const [body, wrong] of cases) {
      const problem = expectProblem(await login(body), 400, 'INPUT_INVALID');
      expect(pointers(problem), JSON.stringify(body).slice(0, 80)).to.deep.equal(wrong);
      expect((problem as unknown as { error: string }).error)
        .to.be.a('string')
        .and.not.equal('');
    }
    for (const body of [[], null, 'text', 7]) expect((await login(body)).status, JSON.stringify(body)).to.equal(400);
    expectProblem(
      await send(`${server.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"username": ',
      }),
      400,
      'INPUT_MALFORMED',
    );
    expectProblem(
      await send(`${server.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'boss',
      }),
      415,
      'INPUT_MEDIA_TYPE',
    );
    expect(
      (await login({ username: bossName, password: bossPassword, remember: true })).status,
      'extra members are ignored',
    ).to.equal(200);
  });

  it('answers the same for a wrong password and an unknown name', async () => {
    const [wrong, unknown] = [
      await login({ username: bossName, password: 'wrong' }, proxied('198.51.100.1')),
      await login({ username: 'nobody', password: 'wrong' }, proxied('198.51.100.1')),
    ];
    const [a, b] = [wrong, unknown].map(
      (answer) => expectProblem(answer, 401, 'LOGIN_FAILED') as unknown as { error: string; detail: string },
    );
    expect(a?.error).to.match(/Invalid/);
    expect([a?.error, a?.detail]).to.deep.equal([b?.error, b?.detail]);
  });

  it('is refused to a disabled account, whose tokens and keys end too', async () => {
    const boss = await sessionOf(server);
    const { username, password } = await addUser(server, boss, 'leaver');
    const session = await sessionOf(server, username, password);
    const key = await keyOf(server, session);
    expect((await me({ 'x-api-key': key })).status).to.equal(200);
    await setEnabled(server, boss, username, false);
    expectProblem(await login({ username, password }), 401, 'LOGIN_DISABLED');
    expect(expectProblem(await me(session), 403, 'ACCOUNT_DISABLED')).to.include({ error: 'Forbidden', status: 403 });
    expect(expectProblem(await me({ 'x-api-key': key }), 401, 'KEY_INVALID')).to.include({ error: 'Invalid API Key' });
    expect((await sendFields(server, `/api/v1/user/admin/deleteUser/${username}`, {}, boss)).status).to.equal(200);
    expect(expectProblem(await me(session), 401, 'TOKEN_INVALID')).to.include({ error: 'Invalid token' });
  });

  it('is required again after a password change, except in the session that made it', async () => {
    const boss = await sessionOf(server);
    const { username, password } = await addUser(server, boss, 'changer');
    const session = await sessionOf(server, username, password);
    const other = await sessionOf(server, username, password);
    const changed = await sendFields(
      server,
      '/api/v1/user/change-password',
      { currentPassword: password, newPassword: 'quite another one' },
      session,
    );
    expect(changed.status, changed.body.toString()).to.equal(200);
    expectProblem(await me(other), 401, 'TOKEN_INVALID');
    expect((await sendJson(server, '/api/v1/auth/refresh', {}, other)).status).to.equal(401);
    expect((await me(session)).status).to.equal(200);
    expect((await sendJson(server, '/api/v1/auth/refresh', {}, session)).status).to.equal(200);
    expect((await me(await sessionOf(server, username, 'quite another one'))).status).to.equal(200);
  });

  it('is renewed by a refresh, and ended by a logout', async () => {
    const session = await sessionOf(server);
    const answer = await send(`${server.url}/api/v1/auth/refresh`, { method: 'POST', headers: session });
    expect(answer.status).to.equal(200);
    const { user, session: next } = json<SessionAnswer>(answer);
    expect([user['username'], next.expires_in]).to.deep.equal([bossName, 86_400]);
    expect((await me({ authorization: `Bearer ${next.access_token}` })).status).to.equal(200);
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Basic x' }] as const)
      expectProblem(
        await send(`${server.url}/api/v1/auth/refresh`, { method: 'POST', headers: headers as Record<string, string> }),
        401,
        'KEY_INVALID',
      );
    expect(
      expectProblem(
        await send(`${server.url}/api/v1/auth/refresh`, { method: 'POST', headers: { authorization: 'Bearer x.y.z' } }),
        401,
        'TOKEN_INVALID',
      ),
    ).to.include({ error: 'Invalid token' });
    const out = await send(`${server.url}/api/v1/auth/logout`, { method: 'POST', headers: session });
    expect([out.status, json(out)]).to.deep.equal([200, { message: 'Logged out successfully' }]);
    for (const token of [session.authorization, `Bearer ${next.access_token}`])
      expectProblem(await me({ authorization: token }), 401, 'TOKEN_INVALID');
  });
});

describe('Login with a password', () => {
  it('is refused where the settings allow only other login methods', async () => {
    const server = await startWithLogin({ loginMethod: 'oauth2' });
    try {
      expectProblem(
        await sendJson(server, '/api/v1/auth/login', { username: bossName, password: bossPassword }),
        403,
        'LOGIN_METHOD_OFF',
      );
    } finally {
      await server.stop();
    }
  });

  it('does not exist while login is off', async () => {
    const server = await startServer();
    try {
      for (const path of ['auth/login', 'auth/refresh', 'auth/logout', 'user/get-api-key'])
        expectProblem(await sendJson(server, `/api/v1/${path}`, {}), 404, 'LOGIN_REQUIRED');
    } finally {
      await server.stop();
    }
  });
});

describe('The first start with login, with an empty base folder', () => {
  it('shows a password once, which must be changed and can then be used to get a key', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-first-'));
    const shown: string[] = [];
    const start = async (): Promise<TestServer> => {
      const server = await createTestServer({
        settings: { security: { enableLogin: true } },
        plugins: [unrulyPlugin],
        basePath,
        announce: (text) => void shown.push(text),
      });
      await server.start();
      return server;
    };
    try {
      const first = await start();
      const password = /password (\S+) /.exec(shown[0] ?? '')?.[1] ?? '';
      expect(password).to.have.length.at.least(12);
      const given = await sessionOf(first, 'admin', password);
      const mine = await send(`${first.url}/api/v1/auth/me`, { headers: given });
      expect(json<SessionAnswer>(mine).user['user_metadata']).to.deep.equal({ firstLogin: true });
      expectProblem(await sendJson(first, '/api/v1/user/get-api-key', {}, given), 403, 'PASSWORD_CHANGE_REQUIRED');
      const session = await firstSessionOf(first, 'admin', password, 'chosen by the administrator');
      const key = await keyOf(first, session);
      for (const headers of [session, { 'x-api-key': key }])
        expect(
          (await send(`${first.url}/api/v1/admin/job/stats`, { headers })).status,
          'what only administrators may',
        ).to.equal(200);
      await first.stop();
      const second = await start();
      expect(shown, 'not shown again').to.have.length(1);
      expect((await send(`${second.url}/api/v1/auth/me`, { headers: session })).status, 'the session goes on').to.equal(
        200,
      );
      expect((await send(`${second.url}/api/v1/auth/me`, { headers: { 'x-api-key': key } })).status).to.equal(200);
      expect(
        (await send(`${second.url}/api/v1/auth/me`, { headers: { 'x-api-key': globalKey } })).status,
        'no global key is set',
      ).to.equal(401);
      await second.stop();
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
