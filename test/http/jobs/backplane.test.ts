import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { valkeyProgram, ValkeyServer } from '../../suites/valkey-server.js';
import { field, file, json, post, send } from '../support/client.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

const API = '/api/v1';
const secret = '0123456789abcdef'.repeat(4);
const PASSWORD = 'password-of-the-valkey';

interface Node {
  readonly id: string;
  readonly backplane?: string;
}

describe('Servers with cluster.backplane: valkey', function suite() {
  this.timeout(120_000);
  let database: TestDatabase;
  let valkey: ValkeyServer;
  const servers: ServerProcess[] = [];
  const bases: string[] = [];
  const start = async (env: Readonly<Record<string, string>>): Promise<ServerProcess> => {
    const folder = makeBase({
      limits: { workers: 1 },
      management: { endpoint: { health: { 'show-details': 'always' } } },
    });
    bases.push(folder);
    const server = await startProcess(folder, env);
    servers.push(server);
    return server;
  };
  const node = async (role: 'web' | 'worker', url: string): Promise<ServerProcess> => {
    const server = await start({
      ...database.env(),
      STORE_SECRET: secret,
      CLUSTER_BACKPLANE: 'valkey',
      CLUSTER_VALKEY_URL: url,
      CLUSTER_NODE_ROLE: role,
      CLUSTER_NODE_ID: role,
      CLUSTER_NODE_HEARTBEATINTERVALMS: '200',
    });
    expect(server.url, server.text()).not.to.equal('');
    return server;
  };
  const states = async ({ url }: ServerProcess): Promise<Record<string, string | undefined>> => {
    const { nodes } = json<{ nodes: Node[] }>(await send(`${url}${API}/admin/nodes`));
    return Object.fromEntries(nodes.map(({ id, backplane }) => [id, backplane]));
  };
  const all = (server: ServerProcess, state: string): Promise<void> =>
    until(`both nodes are ${state}`, async () => {
      const { web, worker } = await states(server);
      return web === state && worker === state;
    });
  const healthOf = async ({ url }: ServerProcess): Promise<unknown> => {
    const { components } = json<{ components: { backplane?: { status: string; details: unknown } } }>(
      await send(`${url}/actuator/health`),
    );
    return components.backplane;
  };
  const runJob = async ({ url }: ServerProcess, pdf: Uint8Array): Promise<string> => {
    const { jobId } = json<{ jobId: string }>(
      await post(`${url}${API}/general/rotate-pdf?async=true`, [file(pdf), field('angle', '90')]),
    );
    const events = await (await fetch(`${url}${API}/general/job/${jobId}/events`)).text();
    expect(events).to.contain('"complete":true');
    return json<{ status: string }>(await send(`${url}${API}/general/job/${jobId}`)).status;
  };

  before(async function () {
    if (valkeyProgram() === undefined || (await mongoTestUrl()) === undefined) this.skip();
  });
  beforeEach(async () => {
    database = testDatabase((await mongoTestUrl()) ?? '');
    valkey = await ValkeyServer.start(valkeyProgram() ?? '', PASSWORD);
  });
  afterEach(async () => {
    for (const { child, exit } of servers.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    }
    await valkey.kill();
    await database.drop();
  });
  after(() => bases.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  it('run jobs on while Valkey dies and comes back, and warn once', async () => {
    const [web, worker] = await Promise.all([node('web', valkey.url), node('worker', valkey.url)]);
    await all(web, 'connected');
    expect(await healthOf(web)).to.deep.equal({ status: 'UP', details: { kind: 'valkey', connected: true } });
    const pdf = await makePdf({ pages: 2 });
    expect(await runJob(web, pdf)).to.equal('succeeded');
    const during = runJob(web, pdf);
    await valkey.kill();
    expect(await during).to.equal('succeeded');
    await all(web, 'disconnected');
    await until('health says so', async () => {
      const { status, details } = (await healthOf(web)) as { status: string; details: { connected: boolean } };
      return status === 'UP' && !details.connected;
    });
    expect(await runJob(web, pdf), 'without Valkey').to.equal('succeeded');
    await delay(3000);
    await valkey.start();
    await all(web, 'connected');
    expect(await runJob(web, pdf), 'with it again').to.equal('succeeded');
    for (const server of [web, worker]) {
      expect(server.text().match(/the backplane \(cluster\.valkey\.url\) cannot be reached/g)).to.have.length(1);
      expect(server.text()).not.to.contain(PASSWORD);
      server.child.kill('SIGTERM');
      expect(await server.exit).to.equal(0);
    }
  });

  it('start with a wrong password or without Valkey, say so, and work', async () => {
    const wrong = valkey.url.replace(PASSWORD, 'a-wrong-password');
    const [web, worker] = await Promise.all([
      node('web', wrong),
      node('worker', 'redis://:a-wrong-password@127.0.0.1:1'),
    ]);
    await all(web, 'disconnected');
    expect(await runJob(web, await makePdf({ pages: 1 }))).to.equal('succeeded');
    expect(web.text()).to.contain('WRONGPASS');
    expect(worker.text()).to.contain('ECONNREFUSED');
    for (const server of [web, worker]) expect(server.text()).not.to.contain('a-wrong-password');
  });

  it('do not start without a store that can be shared, or with an address that cannot be one', async () => {
    const ends = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const server = await start({ STORE_SECRET: secret, CLUSTER_BACKPLANE: 'valkey', ...env });
      expect(await server.exit, server.text()).to.equal(1);
      return server.text();
    };
    expect(await ends({ CLUSTER_VALKEY_URL: valkey.url }))
      .to.contain('cluster.backplane is valkey, but store.mongodb.url is empty')
      .and.not.contain(PASSWORD);
    expect(await ends(database.env())).to.contain('cluster.valkey.url is empty');
    expect(await ends({ ...database.env(), CLUSTER_VALKEY_URL: `http://:${PASSWORD}@cache` }))
      .to.contain('begins with redis:// or valkey://')
      .and.not.contain(PASSWORD);
  });
});
