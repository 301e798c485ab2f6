import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, globalKey, sessionOf, startWithLogin } from '../support/login.js';
import { productRoot, until, type TestServer } from '../support/server.js';

const pdf = readFileSync(join(productRoot, 'plugins', 'general', 'fixtures', 'two-pages.pdf'));

describe('Fleet statistics', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  afterEach(() => server.stop());
  const start = async (audit: object = {}): Promise<void> => {
    server = await startWithLogin({}, { premium: { enterpriseFeatures: { audit } } });
    boss = await sessionOf(server);
  };
  const get = (headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}/api/v1/usage/fleet-stats`, { headers });
  const turn = (headers: Readonly<Record<string, string>>, query = ''): Promise<Answer> =>
    post(`${server.url}/api/v1/general/rotate-pdf${query}`, [file(pdf), field('angle', '90')], headers);

  it('count accounts, those that were used, and what sessions processed', async () => {
    await start();
    await addUser(server, boss, 'ada');
    await addUser(server, boss, 'never-here');
    const ada = await sessionOf(server, 'ada', 'password of ada');
    expect((await turn(ada)).status).to.equal(200);
    expect((await turn(boss)).status).to.equal(200);
    expect(json(await turn(ada, '?async=true'))['jobId']).to.be.a('string');
    // A key is a program, and a failed call has processed nothing.
    expect((await turn({ 'x-api-key': globalKey })).status).to.equal(200);
    expect((await post(`${server.url}/api/v1/general/rotate-pdf`, [field('angle', '90')], ada)).status).to.equal(400);
    await until('the job is recorded', async () => json(await get())['pdfsProcessed'] === 3);
    expect(json(await get())).to.deep.equal({ editorsDeployed: 3, activeThisMonth: 2, pdfsProcessed: 3 });
  });

  it('are null where the audit log is off or too brief', async () => {
    for (const audit of [{ enabled: false }, { level: 1 }]) {
      await start(audit);
      expect(json(await get())).to.deep.equal({ editorsDeployed: 1, activeThisMonth: null, pdfsProcessed: null });
      if ('enabled' in audit) await server.stop();
    }
  });

  it('are for administrators only', async () => {
    await start();
    await addUser(server, boss, 'ada');
    expectProblem(await get({}), 401, 'KEY_INVALID');
    expectProblem(await get(await sessionOf(server, 'ada', 'password of ada')), 403, 'ADMIN_ONLY');
  });
});
