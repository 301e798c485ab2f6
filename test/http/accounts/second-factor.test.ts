import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, bossName, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

describe('The second factor over HTTP', () => {
  let server: TestServer;
  let boss: Headers;
  let made = 0;
  const mfa = (path: string, headers: Headers, body: unknown = {}): Promise<Answer> =>
    sendJson(server, `/api/v1/auth/mfa/${path}`, body, headers);
  const setup = (headers: Headers): Promise<Answer> => send(`${server.url}/api/v1/auth/mfa/setup`, { headers });
  const login = (username: string, mfaCode?: string): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', { username, password: `password of ${username}`, mfaCode });
  /** The code of this many time steps from now; each works once. */
  const code = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const someone = async (): Promise<{ name: string; session: Headers }> => {
    const { username } = await addUser(server, boss, `factor${made++}`);
    return { name: username, session: await sessionOf(server, username, `password of ${username}`) };
  };
  const enrolled = async (): Promise<{ name: string; session: Headers; secret: string }> => {
    const user = await someone();
    const { secret } = json<{ secret: string }>(await setup(user.session));
    // Uses the code of the step before, so that the present one is left for the login.
    expect((await mfa('enable', user.session, { code: code(secret, -1) })).status).to.equal(200);
    return { ...user, secret };
  };

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
  });
  after(() => server.stop());
  beforeEach(async function () {
    this.timeout(60_000);
    // The codes of a test are of one time step and its neighbours, so a test must not begin at the end of a step.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < 5_000) await new Promise((resolve) => setTimeout(resolve, left));
  });

  it('is enrolled, asked for at login, and turned off', async () => {
    const { name, session } = await someone();
    const { secret, otpauthUri } = json<{ secret: string; otpauthUri: string }>(await setup(session));
    expect(otpauthUri)
      .to.match(/^otpauth:\/\/totp\//)
      .and.to.contain(`secret=${secret}`);
    expect(json(await mfa('enable', session, { code: code(secret, -1) }))).to.deep.equal({ enabled: true });
    const asked = await login(name);
    expectProblem(asked, 401, 'MFA_CODE_REQUIRED');
    expect(json(asked)).to.include({ error: 'mfa_required' }).and.to.have.property('message');
    expect((await login(name, code(secret))).status).to.equal(200);
    const again = await login(name, code(secret, -1));
    expectProblem(again, 401, 'MFA_CODE_INVALID');
    expect(json(again)).to.include({ error: 'invalid_mfa_code' }).and.to.have.property('message');
    expect(json(await mfa('disable', session, { code: code(secret, 1) }))).to.deep.equal({ enabled: false });
    expect(json(await mfa('disable', session, { code: 'whatever' })), 'off already').to.deep.equal({ enabled: false });
    expect((await login(name)).status).to.equal(200);
  });

  it('is refused out of order', async () => {
    const { session } = await someone();
    expectProblem(await mfa('enable', session, { code: '123456' }), 400, 'MFA_NOT_STARTED');
    await setup(session);
    for (const wrong of ['000000', '12345', 'abcdef', '１２３４５６'])
      expectProblem(await mfa('enable', session, { code: wrong }), 401, 'MFA_CODE_INVALID');
    expect(json(await mfa('setup/cancel', session))).to.deep.equal({ cleared: true });
    expectProblem(await mfa('enable', session, { code: '123456' }), 400, 'MFA_NOT_STARTED');
    const on = await enrolled();
    expectProblem(await setup(on.session), 409, 'MFA_ALREADY_ON');
    expectProblem(await mfa('setup/cancel', on.session), 409, 'MFA_ALREADY_ON');
    expectProblem(await mfa('disable', on.session, { code: '000000' }), 401, 'MFA_CODE_INVALID');
    expectProblem(await setup({}), 401, 'KEY_INVALID');
  });

  it('reports faults of the body', async () => {
    const { session } = await someone();
    for (const path of ['enable', 'disable']) {
      for (const body of [
        {},
        { code: '' },
        { code: 123456 },
        { code: null },
        { code: ['123456'] },
        { code: { $ne: '' } },
        { code: '1'.repeat(21) },
      ])
        expect(
          pointers(expectProblem(await mfa(path, session, body), 400, 'INPUT_INVALID')),
          JSON.stringify(body),
        ).to.deep.equal(['/code']);
      for (const body of [null, [], 'x', 7]) expectProblem(await mfa(path, session, body), 400, 'INPUT_INVALID');
    }
  });

  it('is confirmed once when two calls race, and a code allows one login', async () => {
    const { session } = await someone();
    const { secret } = json<{ secret: string }>(await setup(session));
    const both = await Promise.all([
      mfa('enable', session, { code: code(secret) }),
      mfa('enable', session, { code: code(secret) }),
    ]);
    expect(both.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1);
    const on = await enrolled();
    const logins = await Promise.all([
      login(on.name, code(on.secret)),
      login(on.name, code(on.secret)),
      login(on.name, code(on.secret)),
    ]);
    expect(logins.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401]);
  });

  it('is turned off by an administrator for somebody who lost the app', async () => {
    const { name, session } = await enrolled();
    const off = (username: string, headers: Headers): Promise<Answer> =>
      sendFields(server, `/api/v1/auth/mfa/disable/admin/${username}`, {}, headers);
    expectProblem(await off(name, session), 403, 'ADMIN_ONLY');
    expectProblem(await off('nobody.here', boss), 404, 'USER_UNKNOWN');
    expect(json(await off(name, boss))).to.deep.equal({ enabled: false });
    expect((await login(name)).status).to.equal(200);
    expect((await off(bossName, boss)).status).to.equal(200);
  });
});
