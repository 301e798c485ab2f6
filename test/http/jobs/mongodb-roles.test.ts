import { expect } from 'chai';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { productRoot, unrulyPlugin, until } from '../support/server.js';

const API = '/api/v1';
/** Features that these tests do not need. */
const off = [
  'security',
  'filter',
  'integration',
  'docparse',
  'ai-tools',
  'signing',
  'admin-cert',
  'analysis',
  'form',
].map((name) => ({ use: `@quire/plugin-${name}`, enabled: false }));
const vector = 'convert/pdf/vector';

interface Job {
  readonly status: string;
  readonly complete: boolean;
  readonly attempts: number;
  readonly error: string | null;
  readonly allResultFiles: readonly { readonly fileId: string }[];
}

interface Node {
  readonly id: string;
  readonly role: string;
  readonly here: boolean;
  readonly programs: readonly string[];
  readonly operations: Readonly<Record<string, string>>;
}

describe('Nodes with roles on one MongoDB', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let pdf: Uint8Array;
  let web: ServerProcess;
  let worker: ServerProcess;
  const servers: ServerProcess[] = [];
  const bases: string[] = [];
  const secret = '0123456789abcdef'.repeat(4);
  const start = async (
    settings: Readonly<Record<string, unknown>>,
    env: Readonly<Record<string, string>> = {},
    command?: readonly string[],
  ): Promise<ServerProcess> => {
    const base = makeBase({
      limits: { workers: 1 },
      plugins: [...off, { use: unrulyPlugin }],
      operations: { 'misc/unruly-pause': { concurrency: 1 } },
      ...settings,
    });
    bases.push(base);
    const server = await startProcess(base, { ...database.env(), STORE_SECRET: secret, ...env }, command);
    servers.push(server);
    return server;
  };
  const job = (server: ServerProcess, id: string, rest = '', method = 'GET'): Promise<Answer> =>
    send(`${server.url}${API}/general/job/${encodeURIComponent(id)}${rest}`, { method });
  const poll = async (server: ServerProcess, id: string): Promise<Job> => json<Job>(await job(server, id));
  const begin = async (path: string, parts: readonly ReturnType<typeof field>[] = []): Promise<string> => {
    const answer = await post(`${web.url}${API}/${path}`, [file(pdf), field('async', 'true'), ...parts]);
    expect(answer.status, answer.body.toString('utf8', 0, 500)).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  };
  const finished = async (server: ServerProcess, id: string, seconds = 30): Promise<Job> => {
    await until(`job ${id} is complete`, async () => (await poll(server, id)).complete, seconds);
    return poll(server, id);
  };

  before(async function () {
    const url = await mongoTestUrl();
    if (url === undefined) return this.skip();
    database = testDatabase(url);
    pdf = await makePdf({ pages: 2 });
    // Without a PATH there is no program: the web node has no Ghostscript, the worker has.
    web = await start({ cluster: { node: { role: 'api', id: 'front' } } }, { PATH: '/nowhere' });
    worker = await start({ cluster: { node: { role: 'worker', id: 'back' } } });
    for (const server of [web, worker]) expect(server.url, server.text()).not.to.equal('');
  });
  after(async () => {
    for (const { child, exit } of servers) {
      child.kill('SIGKILL');
      await exit;
    }
    await database?.drop();
    for (const base of bases) rmSync(base, { recursive: true, force: true });
  });

  it('know each other', async () => {
    await until(
      'both nodes are listed',
      async () => json<{ nodes: Node[] }>(await send(`${web.url}${API}/admin/nodes`)).nodes.length === 2,
    );
    const { nodes } = json<{ nodes: Node[] }>(await send(`${web.url}${API}/admin/nodes`));
    expect(nodes.map(({ id, role, here }) => [id, role, here])).to.deep.equal([
      ['back', 'worker', false],
      ['front', 'web', true],
    ]);
    const [back, front] = nodes as [Node, Node];
    expect(back.operations['general/rotate-pdf']).to.match(/^\d+\.\d+\.\d+/);
    expect(front.programs).not.to.include('ghostscript');
    expect(front.operations).not.to.have.property(vector);
  });

  it('run health and information operations only on workers', async () => {
    for (const path of ['/livez', '/readyz', '/actuator/health', `${API}/info/status`])
      expect((await send(`${worker.url}${path}`)).status, path).to.equal(200);
    const refused = [
      await post(`${worker.url}${API}/general/rotate-pdf`, [file(pdf)]),
      await send(`${worker.url}${API}/general/job/x`),
      await send(`${worker.url}${API}/admin/nodes`),
      await send(`${worker.url}/swagger-ui/index.html`),
    ];
    for (const answer of refused) expect(answer.status).to.equal(404);
  });

  it('run direct calls on the web node and jobs on the worker; any serving node returns results', async () => {
    expect((await post(`${web.url}${API}/general/rotate-pdf`, [file(pdf), field('angle', '90')])).status).to.equal(200);
    const mark = join(worker.basePath, 'mark');
    const id = await begin('misc/unruly-slow', [field('ms', '50'), field('mark', mark)]);
    const record = await finished(web, id);
    expect(record).to.include({ status: 'succeeded', attempts: 1 });
    const parentOf = (pid: string): string =>
      /\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
    expect(parentOf(readFileSync(mark, 'utf8')), 'a process of the worker node did it').to.equal(
      String(worker.child.pid),
    );
    const result = await send(`${web.url}${API}/general/files/${record.allResultFiles[0]?.fileId}`);
    expect(result.status).to.equal(200);
    expect(result.body.subarray(0, 5).toString()).to.equal('%PDF-');
  });

  it('run a job whose program only the worker has, and refuse the direct call', async function () {
    const { nodes } = json<{ nodes: Node[] }>(await send(`${web.url}${API}/admin/nodes`));
    // Without Ghostscript on this machine the worker has none either.
    if (nodes[0]?.programs.includes('ghostscript') !== true) return this.skip();
    expectProblem(await post(`${web.url}${API}/${vector}`, [file(pdf)]), 503, 'PROGRAM_MISSING');
    const record = await finished(web, await begin(vector), 60);
    expect(record.status, record.error ?? '').to.equal('succeeded');
    const steps = JSON.stringify({
      pipeline: [
        { operation: `${API}/general/rotate-pdf`, parameters: { angle: 90 } },
        { operation: `${API}/${vector}`, parameters: {} },
      ],
    });
    expectProblem(
      await post(`${web.url}${API}/pipeline/handleData`, [file(pdf), field('json', steps)]),
      400,
      'PIPELINE_INVALID',
    );
    const started = await post(`${web.url}${API}/pipeline/handleData`, [
      file(pdf),
      field('json', steps),
      field('async', 'true'),
    ]);
    expect(started.status, started.body.toString('utf8', 0, 300)).to.equal(200);
    expect((await finished(web, json<{ jobId: string }>(started).jobId, 60)).status).to.equal('succeeded');
  });

  it('stop a job that is cancelled on the other node', async () => {
    const mark = join(worker.basePath, 'cancel');
    const id = await begin('misc/unruly-slow', [field('ms', '600000'), field('mark', mark)]);
    await until('it runs', () => existsSync(mark));
    expect((await job(web, id, '', 'DELETE')).status).to.equal(200);
    // The worker is free again when the next job has begun.
    const next = await begin('misc/unruly-slow', [field('ms', '1')]);
    await until('the worker is free', async () => (await poll(web, next)).status !== 'queued');
    expect(await poll(web, id)).to.include({ status: 'cancelled', complete: true });
  });

  it("limit an operation's concurrency over all nodes together", async () => {
    const pause = (ms: number): Promise<Answer> =>
      post(`${web.url}${API}/misc/unruly-pause`, [file(pdf), field('ms', String(ms))]);
    expect((await pause(1)).status).to.equal(200);
    const begun = Date.now();
    const id = await begin('misc/unruly-pause', [field('ms', '4000')]);
    await until('the worker has begun', async () => (await poll(web, id)).status === 'running');
    await delay(1000);
    expect((await pause(1)).status).to.equal(200);
    expect(Date.now() - begun, 'the call waited until the job had finished').to.be.at.least(4000);
    expect((await finished(web, id)).status).to.equal('succeeded');
  });

  it('leave a job for a newer version of a plugin to nodes that have it', async function () {
    const newer = mkdtempSync(join(tmpdir(), 'quire-plugin-'));
    bases.push(newer);
    cpSync(unrulyPlugin, newer, { recursive: true });
    // Its imports are those of this checkout.
    symlinkSync(join(productRoot, 'node_modules'), join(newer, 'node_modules'));
    writeFileSync(
      join(newer, 'package.json'),
      readFileSync(join(unrulyPlugin, 'package.json'), 'utf8').replace('"version": "1.0.0"', '"version": "1.1.0"'),
    );
    const plugins = { plugins: [...off, { use: newer }] };
    const front = await start({ cluster: { node: { role: 'api', id: 'front-newer' } }, ...plugins });
    expect(front.url, front.text()).not.to.equal('');
    const started = await post(`${front.url}${API}/misc/unruly-pause`, [
      file(pdf),
      field('async', 'true'),
      field('ms', '1'),
    ]);
    const { jobId } = json<{ jobId: string }>(started);
    // The old worker is idle and has the older version: it leaves this job alone and runs others meanwhile.
    expect((await finished(web, await begin('misc/unruly-pause', [field('ms', '1')]))).status).to.equal('succeeded');
    expect(await poll(web, jobId)).to.include({ status: 'queued', attempts: 0 });
    const back = await start({ cluster: { node: { role: 'worker', id: 'back-newer' } }, ...plugins });
    expect(await finished(web, jobId), back.text()).to.include({ status: 'succeeded', attempts: 1 });
    const { nodes } = json<{ nodes: Node[] }>(await send(`${web.url}${API}/admin/nodes`));
    expect(
      nodes
        .filter(({ role }) => role === 'worker')
        .map(({ operations }) => operations['misc/unruly-pause'])
        .sort(),
    ).to.deep.equal(['1.0.0', '1.1.0']);
    for (const { child, exit } of [front, back]) {
      child.kill('SIGTERM');
      await exit;
    }
  });

  it("take over the job of a killed node, although the other's clock is five minutes behind", async () => {
    const mark = join(worker.basePath, 'kill');
    const id = await begin('misc/unruly-slow', [field('ms', '3000'), field('mark', mark)]);
    await until('it runs', () => existsSync(mark));
    worker.child.kill('SIGKILL');
    rmSync(mark);
    const shifted = [
      process.execPath,
      '--import',
      'tsx',
      '--import',
      join(productRoot, 'test', 'kit', 'shifted-clock.ts'),
      join(productRoot, 'core', 'dist', 'main.js'),
    ];
    const second = await start(
      { cluster: { node: { role: 'worker', id: 'second' } } },
      { TEST_CLOCK_SHIFT_MS: String(-5 * 60_000) },
      shifted,
    );
    expect(second.url, second.text()).not.to.equal('');
    const record = await finished(web, id, 60);
    expect(record, second.text()).to.include({ status: 'succeeded', attempts: 2 });
  });
});

describe('A node without a shared store', () => {
  it('refuses to start with only one role', async function () {
    this.timeout(40_000);
    for (const role of ['api', 'worker']) {
      const base = makeBase({ cluster: { node: { role } } });
      const server = await startProcess(base);
      expect(await server.exit).to.equal(1);
      expect(server.text()).to.match(new RegExp(`cluster\\.node\\.role is ${role}.*store\\.mongodb\\.url is empty`));
      rmSync(base, { recursive: true, force: true });
    }
  });
});
