import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

interface Listed {
  readonly id: string;
  readonly current: boolean;
  readonly signedIn: string;
  readonly lastUsed: string;
  readonly ends: string;
  readonly address: string;
  readonly client: string;
  readonly desktop: boolean;
}

describe('Sessions', () => {
  let server: TestServer;
  let boss: Headers;
  let count = 0;
  const call = (method: string, path: string, headers: Headers): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { method, headers });
  const me = async (headers: Headers): Promise<number> => (await call('GET', 'auth/me', headers)).status;
  const list = async (headers: Headers, path = 'auth/sessions'): Promise<Listed[]> =>
    json<{ sessions: Listed[] }>(await call('GET', path, headers)).sessions;
  const refresh = (headers: Headers): Promise<Answer> => call('POST', 'auth/refresh', headers);
  const someone = async (): Promise<{
    name: string;
    password: string;
    login: (agent?: string) => Promise<Headers>;
  }> => {
    count += 1;
    const { username, password } = await addUser(server, boss, `member${count}`);
    return {
      name: username,
      password,
      login: (agent) => sessionOf(server, username, password, agent === undefined ? {} : { 'user-agent': agent }),
    };
  };

  before(async () => {
    server = await startWithLogin({}, { licence: { tier: 'enterprise' } });
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('end at the server when their user logs out, with all tokens of the same session', async () => {
    const { login } = await someone();
    const [session, other] = [await login(), await login()];
    const next = json<{ session: { access_token: string } }>(await refresh(session)).session.access_token;
    expect((await call('POST', 'auth/logout', session)).status).to.equal(200);
    for (const headers of [session, { authorization: `Bearer ${next}` }]) {
      expect(expectProblem(await call('GET', 'auth/me', headers), 401, 'TOKEN_INVALID')).to.include({
        error: 'Token no longer valid',
      });
      expectProblem(await refresh(headers), 401, 'TOKEN_INVALID');
    }
    expect(await me(other), 'another session of the same user').to.equal(200);
    for (const headers of [session, {}, { authorization: 'Bearer x.y.z' }] as Headers[])
      expect((await call('POST', 'auth/logout', headers)).status, 'once more, or without a session').to.equal(200);
  });

  it('are listed and ended by their user', async () => {
    const { login } = await someone();
    const [first, second, third] = [
      await login('Quire Desktop/1.0 (Electron)'),
      await login(`Firefox ${'x'.repeat(500)}`),
      await login('curl/8'),
    ];
    const all = await list(third);
    expect(all.map(({ client, current, desktop }) => [client.slice(0, 7), current, desktop])).to.deep.equal([
      ['curl/8', true, false],
      ['Firefox', false, false],
      ['Quire D', false, true],
    ]);
    for (const { signedIn, lastUsed, ends, address, client } of all) {
      expect(Date.parse(ends) - Date.parse(signedIn)).to.equal(30 * 86_400_000);
      expect([lastUsed, address]).to.deep.equal([signedIn, '127.0.0.1']);
      expect(client.length).to.be.at.most(200);
    }
    expect((await call('DELETE', `auth/sessions/${all[2]?.id}`, third)).status).to.equal(204);
    expect([await me(first), await me(second), await me(third)]).to.deep.equal([401, 200, 200]);
    expectProblem(await call('DELETE', `auth/sessions/${all[2]?.id}`, third), 404, 'NOT_FOUND');
    expect(json(await call('DELETE', 'auth/sessions', third))).to.deep.equal({ ended: 1 });
    expect([await me(second), await me(third)]).to.deep.equal([401, 200]);
    expect(await list(third)).to.have.length(1);
  });

  it('of another user are neither listed nor ended', async () => {
    const [ann, bob] = [await someone(), await someone()];
    const [anns, bobs] = [await ann.login(), await bob.login()];
    const [{ id } = { id: '' }] = await list(anns);
    expectProblem(await call('DELETE', `auth/sessions/${id}`, bobs), 404, 'NOT_FOUND');
    expect((await list(bobs)).map((session) => session.id)).not.to.include(id);
    for (const [method, path] of [
      ['GET', `user/admin/sessions/${ann.name}`],
      ['DELETE', `user/admin/sessions/${ann.name}`],
      ['DELETE', `user/admin/sessions/${ann.name}/${id}`],
    ] as const)
      expectProblem(await call(method, path, bobs), 403, 'ADMIN_ONLY');
    expect(await me(anns)).to.equal(200);
  });

  it('are listed and ended by administrators', async () => {
    const { name, login } = await someone();
    const [first, second, third] = [await login('one'), await login('two'), await login('three')];
    const path = `user/admin/sessions/${name}`;
    const all = await list(boss, path);
    expect(all.map(({ client, current }) => [client, current])).to.deep.equal([
      ['three', false],
      ['two', false],
      ['one', false],
    ]);
    expect((await call('DELETE', `${path}/${all[1]?.id}`, boss)).status).to.equal(204);
    expect([await me(first), await me(second), await me(third)]).to.deep.equal([200, 401, 200]);
    expect(json(await call('DELETE', path, boss))).to.deep.equal({ ended: 2 });
    expect([await me(first), await me(third)]).to.deep.equal([401, 401]);
    expectProblem(await call('DELETE', `${path}/${all[0]?.id}`, boss), 404, 'NOT_FOUND');
    expectProblem(await call('GET', 'user/admin/sessions/nobody.here', boss), 404, 'USER_UNKNOWN');
    const own = await sessionOf(server);
    expect(json<{ ended: number }>(await call('DELETE', `user/admin/sessions/${bossName}`, boss)).ended).to.equal(1);
    expect([await me(boss), await me(own)], 'the session that asked goes on').to.deep.equal([200, 401]);
  });

  it('end when the second factor is turned on or off, except the one that did it', async () => {
    const { name, login } = await someone();
    const [mine, stolen] = [await login(), await login()];
    const { secret } = json<{ secret: string }>(await call('GET', 'auth/mfa/setup', mine));
    const code = (steps: number): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    expect((await sendJson(server, '/api/v1/auth/mfa/enable', { code: code(0) }, mine)).status).to.equal(200);
    expect([await me(mine), await me(stolen)]).to.deep.equal([200, 401]);
    expect(await list(mine)).to.have.length(1);
    const answer = await sendJson(server, '/api/v1/auth/login', {
      username: name,
      password: `password of ${name}`,
      mfaCode: code(1),
    });
    const other = {
      authorization: `Bearer ${json<{ session: { access_token: string } }>(answer).session.access_token}`,
    };
    expect((await sendFields(server, `/api/v1/auth/mfa/disable/admin/${name}`, {}, boss)).status).to.equal(200);
    expect([await me(mine), await me(other)], 'turned off by an administrator').to.deep.equal([401, 401]);
  });

  it('go on for keys, which are no sessions', async () => {
    const { login } = await someone();
    const session = await login();
    const key = { 'x-api-key': await keyOf(server, session) };
    expect((await call('POST', 'auth/logout', session)).status).to.equal(200);
    expect(await me(key)).to.equal(200);
  });
});

describe('A session with an absolute end', () => {
  it('gives no token that lasts longer, at the login or a refresh, also after a restart', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-sessions-'));
    const settings = { sessionMaxDays: 1, jwt: { tokenExpiryMinutes: 10_080, desktopTokenExpiryMinutes: 43_200 } };
    try {
      const first = await startWithLogin(settings, {}, basePath);
      const session = await sessionOf(first);
      const ends = decodeJwt(session.authorization.slice(7)).exp ?? 0;
      expect(ends - (decodeJwt(session.authorization.slice(7)).iat ?? 0)).to.equal(86_400);
      await first.stop();
      const second = await startWithLogin(settings, {}, basePath);
      for (const agent of ['curl/8', 'Electron']) {
        const answer = await send(`${second.url}/api/v1/auth/refresh`, {
          method: 'POST',
          headers: { ...session, 'user-agent': agent },
        });
        const next = json<{ session: { access_token: string; expires_in: number } }>(answer).session;
        expect(decodeJwt(next.access_token).exp).to.equal(ends);
        expect(next.expires_in).to.be.at.most(86_400);
      }
      await second.stop();
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });
});
