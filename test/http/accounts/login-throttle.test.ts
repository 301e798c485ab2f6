import { expect } from 'chai';
import { expectProblem, send, type Answer } from '../support/client.js';
import { addUser, globalKey, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

const trusting = { server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } };
const office = '203.0.113.9';
const elsewhere = '203.0.113.10';

describe('The limit on wrong passwords', () => {
  let server: TestServer;
  let boss: Readonly<Record<string, string>>;
  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
  const login = (username: string, password: string, address: string): Promise<Answer> =>
    sendJson(server, '/api/v1/auth/login', { username, password }, from(address));
  const guess = (username: string, address: string): Promise<Answer> => login(username, 'a guess', address);
  /** A new user and the password. */
  const someone = async (name: string): Promise<readonly [string, string]> => {
    const { username, password } = await addUser(server, boss, name);
    return [username, password];
  };
  const start = async (security: Readonly<Record<string, unknown>>): Promise<void> => {
    server = await startWithLogin(security, trusting);
    boss = await sessionOf(server);
  };
  afterEach(() => server.stop());

  it('is for one account at one address: colleagues there and the user elsewhere can log in', async () => {
    await start({ loginAttemptCount: -1, throttle: { wrongPasswords: 3 } });
    const [victim, colleague] = [await someone('victim'), await someone('colleague')];
    for (let i = 0; i < 3; i += 1) expect((await guess('victim', office)).status).to.equal(401);
    for (let i = 0; i < 200; i += 1) expect((await guess('victim', office)).status).to.equal(429);
    const refused = await login(...victim, office);
    const { detail } = expectProblem(refused, 429, 'TOO_MANY_ATTEMPTS');
    expect(detail).to.contain('other accounts can log in meanwhile');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect((await login(...colleague, office)).status, 'one bad account does not lock the address').to.equal(200);
    expect((await login(...victim, elsewhere)).status, 'nor the account elsewhere').to.equal(200);
  });

  it('accepts the right password after the time in Retry-After', async () => {
    await start({ loginAttemptCount: -1, throttle: { wrongPasswords: 2, windowSeconds: 1 } });
    const victim = await someone('victim');
    for (let i = 0; i < 2; i += 1) await guess('victim', office);
    const refused = await login(...victim, office);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '1']);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await login(...victim, office)).status).to.equal(200);
  });

  it('locks an account for the address that guessed only, and says for how long', async () => {
    await start({ loginAttemptCount: 3, loginResetTimeMinutes: 5 });
    const victim = await someone('victim');
    for (let i = 0; i < 3; i += 1) expectProblem(await guess('victim', office), 401, 'LOGIN_FAILED');
    const locked = await login(...victim, office);
    expect(expectProblem(locked, 401, 'LOGIN_LOCKED').detail).to.match(/for your address .* in \d+ seconds/);
    expect(Number(locked.headers['retry-after'])).to.be.within(1, 300);
    expect((await login(...victim, elsewhere)).status, 'an address that is new for the user').to.equal(200);
    expect((await sendFields(server, '/api/v1/user/admin/unlockUser/victim', {}, boss)).status).to.equal(200);
    expect((await login(...victim, office)).status).to.equal(200);
  });

  it('stops an address that tries many accounts, but not the people who have logged in there before', async () => {
    await start({ throttle: { wrongPasswordsPerAddress: 5 } });
    const [known, fresh] = [await someone('known'), await someone('fresh')];
    expect((await login(...known, office)).status).to.equal(200);
    for (let i = 0; i < 5; i += 1) expect((await guess(`name${i}`, office)).status).to.equal(401);
    expectProblem(await guess('name6', office), 429, 'TOO_MANY_ATTEMPTS');
    expectProblem(await login(...fresh, office), 429, 'TOO_MANY_ATTEMPTS');
    expect((await login(...known, office)).status).to.equal(200);
    expect((await login(...fresh, elsewhere)).status).to.equal(200);
  });

  it('is not used up by wrong API keys, and never refuses right ones', async () => {
    await start({ throttle: { wrongKeys: 2 } });
    const victim = await someone('victim');
    const uptime = (key: string): Promise<Answer> =>
      send(`${server.url}/api/v1/info/uptime`, { headers: { 'x-api-key': key, ...from(office) } });
    for (let i = 0; i < 2; i += 1) expect((await uptime(`wrong ${i}`)).status).to.equal(401);
    for (let i = 0; i < 150; i += 1) expect((await uptime(`wrong again ${i}`)).status).to.equal(429);
    expect((await uptime(globalKey)).status).to.equal(200);
    expectProblem(await guess('victim', office), 401, 'LOGIN_FAILED');
    expect((await login(...victim, office)).status).to.equal(200);
  });
});
