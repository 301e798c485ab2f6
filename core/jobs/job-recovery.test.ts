import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { completed, jobRequest, testJobService, until } from '../../test/suites/job-harness.js';
import { openStore, type Store } from '../store/index.js';
import type { JobExecutor } from './job-executor.js';
import type { JobRecord } from './job-record.js';
import type { JobService } from './job-service.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

describe('job recovery after a server crash', function () {
  this.timeout(120_000);
  let folder: string;
  let store: Store | undefined;
  let jobs: JobService | undefined;
  const children = new Set<ChildProcess>();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-kill-'));
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await jobs?.close();
    await store?.close();
    jobs = store = undefined;
    await rm(folder, { recursive: true, force: true });
  });
  const startServer = (count: number, ms: number): ChildProcess => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(root, 'test', 'suites', 'job-child.ts'), folder, String(count), String(ms)],
      { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_NO_WARNINGS: '1' } },
    );
    children.add(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    children.delete(child);
  };
  const journal = async (): Promise<string[]> =>
    (await readFile(join(folder, 'journal'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const line = (start: string): Promise<string> =>
    until(async () => (await journal()).find((one) => one.startsWith(start)), 30_000);
  const open = async (execute: JobExecutor, attempts = 2): Promise<JobService> => {
    store = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    jobs = testJobService(store, execute, { attempts });
    await jobs.recover();
    return jobs;
  };
  const quick: JobExecutor = async (job) => ({ files: [], json: `done in start ${job.attempts}` });

  it('runs the job again at once, and counts the start', async () => {
    const server = startServer(1, 600_000);
    await line('start');
    const jobId = (await line('job ')).split(' ')[1] ?? '';
    await kill(server);
    const record = await completed(await open(quick), jobId);
    expect(record).to.deep.include({ status: 'succeeded', attempts: 2, result: 'done in start 2' });
  });

  it('fails a job that has crashed the server twice', async () => {
    let server = startServer(1, 600_000);
    const jobId = (await line('job ')).split(' ')[1] ?? '';
    await line(`start ${jobId} 1`);
    await kill(server);
    server = startServer(0, 600_000);
    await line(`start ${jobId} 2`);
    await kill(server);
    const record = await completed(await open(quick), jobId);
    expect(record).to.deep.include({ status: 'failed', attempts: 2 });
    expect(record.failure?.code).to.equal('WORKER_LOST');
    expect(record.error).to.match(/stopped while it was running this job/);
  });

  it('finishes every accepted job once, however often the server is killed at random moments', async () => {
    const jobCount = 30;
    let server = startServer(jobCount, 20);
    await line('ready');
    for (let round = 0; round < (process.env['QUIRE_FULL'] === '1' ? 10 : 3); round += 1) {
      await new Promise((resolve) => setTimeout(resolve, randomInt(10, 150)));
      await kill(server);
      const starts = (await journal()).filter((one) => one === 'ready').length;
      server = startServer(0, 20);
      await until(async () => ((await journal()).filter((one) => one === 'ready').length > starts ? true : undefined));
    }
    await kill(server);
    const ids = (await journal()).filter((one) => one.startsWith('job ')).map((one) => one.slice(4));
    expect(ids).to.have.length(jobCount);
    const service = await open(quick, 50);
    for (const id of ids) {
      const record = await completed(service, id);
      expect(record.status).to.equal('succeeded');
      for (const file of record.allResultFiles) {
        const opened = await service.openFile(file.fileId);
        expect(opened && (await text(opened.stream))).to.equal(`result of ${id}`);
      }
    }
    const named = (await Promise.all(ids.map((id) => service.get(id)))).flatMap(
      (record) => record?.allResultFiles ?? [],
    );
    const kept: string[] = [];
    for await (const blob of store?.blobs.area('jobs').list() ?? []) kept.push(blob.id);
    expect(kept.sort()).to.deep.equal(named.map((file) => file.fileId).sort());
  });

  it('leaves no readable parameter of a job on disk, and none at all once the job is complete', async () => {
    const server = startServer(3, 600_000);
    await line('ready');
    await line('start');
    const found = spawnSync('grep', ['-rlaF', 's3cr3t-canary', join(folder, 'store')], { encoding: 'utf8' });
    expect([found.status, found.stdout]).to.deep.equal([1, '']);
    await kill(server);
    const service = await open(quick);
    const ids = (await journal()).filter((one) => one.startsWith('job ')).map((one) => one.slice(4));
    for (const id of ids) expect((await completed(service, id)).secret).to.equal(null);
  });

  it('removes half-written files and files that no job names', async () => {
    const unfinished = join(folder, 'store', 'blobs', 'jobs', 'unfinished');
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'half'), 'x');
    const before = await openStore({ kind: 'embedded', folder: join(folder, 'store') });
    const area = before.blobs.area('jobs');
    const orphan = await area.put(Readable.from([Buffer.from('orphan')]));
    await before.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await open(quick);
    expect(await store?.blobs.area('jobs').exists(orphan.id)).to.equal(false);
    expect(await store?.blobs.area('jobs').sweepUnfinished(0)).to.equal(0);
  });

  it('keeps results across a restart', async () => {
    const service = await open(async () => ({ files: [], json: { kept: true } }));
    const { jobId } = await service.start(jobRequest());
    await completed(service, jobId);
    await service.close();
    await store?.close();
    expect(await (await open(quick)).get(jobId)).to.deep.include({
      status: 'succeeded',
      result: { kept: true },
    } satisfies Partial<JobRecord>);
  });
});

describe('job service without its MongoDB', function () {
  this.timeout(30_000);
  it('starts, refuses jobs with STORE_DOWN, and stops cleanly', async () => {
    const store = await openStore({ kind: 'mongodb', url: 'mongodb://127.0.0.1:1', database: 'quire' });
    const jobs = testJobService(store, async () => ({ files: [] }));
    await jobs.recover();
    const error = await jobs.start(jobRequest()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', 'STORE_DOWN');
    await jobs.close();
    await store.close();
  });
});
