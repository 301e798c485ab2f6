import { expect } from 'chai';
import { expectProblem, json, send } from '../support/client.js';
import { addUser, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

interface Setting {
  readonly key: string;
  readonly meaning: string;
  readonly value: unknown;
  readonly pending?: unknown;
  readonly origin: string;
  readonly fileOnly: boolean;
  readonly secret: boolean;
  readonly acts: boolean;
  readonly instead?: string;
}

describe('Descriptions for administrators', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  before(async () => {
    server = await startWithLogin({}, { system: { maxDPI: 300 } });
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  const described = async (): Promise<Map<string, Setting>> => {
    const answer = await send(`${server.url}/api/v1/admin/settings/described`, { headers: boss });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return new Map(json<{ settings: Setting[] }>(answer).settings.map((setting) => [setting.key, setting]));
  };

  it('explain every setting with its origin, and hide secrets', async () => {
    const settings = await described();
    expect(settings.size).to.be.greaterThan(100);
    for (const { key, meaning } of settings.values()) expect(meaning, key).to.match(/\S/);
    expect(settings.get('system.maxDPI')).to.include({ value: 300, type: 'integer', default: 500 });
    expect(settings.get('server.keepAliveSeconds')).to.include({ origin: 'shipped', fileOnly: false });
    expect(settings.get('security.customGlobalAPIKey')).to.include({ value: '********', secret: true });
    expect(settings.get('security.isolation')).to.include({ fileOnly: true });
  });

  it('say of each setting without effect what to use instead', async () => {
    const settings = [...(await described()).values()];
    expect(settings.find(({ key }) => key === 'telegram.enabled')).to.include({ acts: false });
    for (const { key, acts, instead } of settings)
      if (acts) expect(instead, key).to.equal(undefined);
      else expect(instead, key).to.match(/^[A-Z].+\.$/);
  });

  it('show the value that waits for a restart', async () => {
    const body = { settings: { 'system.maxDPI': 250 } };
    const saved = await sendJson(server, '/api/v1/admin/settings', body, boss, 'PUT');
    expect(saved.status, saved.body.toString()).to.equal(200);
    expect((await described()).get('system.maxDPI')).to.include({ value: 300, pending: 250 });
  });

  it('include the load of the moment', async () => {
    const answer = await send(`${server.url}/api/v1/admin/load`, { headers: boss });
    const load = json<Record<string, number>>(answer);
    expect(load['requests']).to.be.greaterThan(0);
    expect(load['memoryBytes']).to.be.greaterThan(10_000_000);
    expect(load).to.include({ busyWorkers: 0, waitingCalls: 0, queuedJobs: 0, runningJobs: 0 });
  });

  it('are for administrators only', async () => {
    const { username, password } = await addUser(server, boss, 'ann');
    const ann = await sessionOf(server, username, password);
    for (const path of ['admin/settings/described', 'admin/load'])
      expectProblem(await send(`${server.url}/api/v1/${path}`, { headers: ann }), 403, 'ADMIN_ONLY');
  });
});
