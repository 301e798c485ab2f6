import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { InputError, isQuireError, OperationalError } from '@quire/registry/errors';
import {
  completed,
  gate,
  jobRequest,
  outputFolder,
  testJobService,
  until,
  type OutputFolder,
} from '../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { toWire, type JobRecord } from './job-record.js';
import { type JobExecutor } from './job-executor.js';
import { type JobService } from './job-service.js';
import { type JobSettings } from './job-options.js';

describeStores('job service', (make) => {
  let home: TemporaryStore;
  let store: Store;
  let out: OutputFolder;
  const services: JobService[] = [];
  const service = async (execute: JobExecutor, settings: Partial<JobSettings> = {}): Promise<JobService> => {
    const jobs = testJobService(store, execute, settings);
    services.push(jobs);
    await jobs.recover();
    return jobs;
  };
  const codeOf = async (work: Promise<unknown>): Promise<string | undefined> => {
    try {
      await work;
      return undefined;
    } catch (error) {
      return isQuireError(error) ? error.code : String(error);
    }
  };
  /** An executor that waits for the gate or the abort. */
  const waiting =
    (door: Promise<void>, onAbort: () => void = () => undefined): JobExecutor =>
    (_job, { signal }) =>
      new Promise((resolve, reject) => {
        void door.then(() => resolve({ files: [], json: { ok: true } }));
        signal.addEventListener('abort', () => {
          onAbort();
          reject(signal.reason);
        });
      });
  const blobCount = async (): Promise<number> => {
    let n = 0;
    for await (const blob of store.blobs.area('jobs').list()) n += blob.id ? 1 : 0;
    return n;
  };

  beforeEach(async () => {
    home = await make();
    store = await home.open();
    out = await outputFolder();
  });
  afterEach(async () => {
    for (const jobs of services.splice(0)) await jobs.close();
    await store.close();
    await home.remove();
    await out.remove();
  });

  it('keeps the files, names, types and headers of a finished job', async () => {
    let released = false;
    const jobs = await service(async () => ({
      files: [await out.write('a.pdf', 'first'), await out.write('b.pdf', 'second')],
      metadata: { policyId: 'p' },
      headers: { 'X-Effects': 'lossy' },
      archiveName: 'all.zip',
      release: async () => void (released = true),
    }));
    const { jobId } = await jobs.start(jobRequest());
    const record = await completed(jobs, jobId);
    expect(record).to.deep.include({
      status: 'succeeded',
      error: null,
      result: null,
      progress: 100,
      attempts: 1,
      owner: '',
      archiveName: 'all.zip',
      headers: { 'X-Effects': 'lossy' },
      metadata: { policyId: 'p' },
    });
    expect(record.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    const files = await jobs.files(jobId);
    expect(files.map(({ fileName, contentType, fileSize }) => [fileName, contentType, fileSize])).to.deep.equal([
      ['a.pdf', 'application/pdf', 5],
      ['b.pdf', 'application/pdf', 6],
    ]);
    const opened = await jobs.openFile(files[1]?.fileId ?? '');
    expect(opened && (await text(opened.stream))).to.equal('second');
    expect(opened?.meta).to.deep.include({ jobId, owner: '', kind: 'pdf', fileName: 'b.pdf' });
    const part = await jobs.openFile(files[0]?.fileId ?? '', { start: 1, end: 2 });
    expect(part && (await text(part.stream))).to.equal('ir');
    await until(() => released || undefined);
  });

  it('keeps uploads before it answers, gives them to the executor, and deletes them afterwards', async () => {
    const path = join(tmpdir(), `quire-upload-${process.pid}`);
    await writeFile(path, 'uploaded');
    const door = gate();
    const jobs = await service(async (job) => {
      await door.opened;
      return {
        files: [],
        json: {
          name: job.inputs[0]?.name,
          content: await readFile(job.inputs[0]?.path ?? '', 'utf8'),
          params: job.params,
        },
      };
    });
    const { jobId } = await jobs.start(
      jobRequest({ inputs: [{ field: 'fileInput', name: 'x.pdf', kind: 'pdf', path }] }),
    );
    await rm(path);
    door.open();
    expect((await completed(jobs, jobId)).result).to.deep.equal({
      name: 'x.pdf',
      content: 'uploaded',
      params: { angle: 90 },
    });
    await until(async () => ((await blobCount()) === 0 ? true : undefined));
  });

  it('shows the members that clients read, with nulls and without secrets', async () => {
    const jobs = await service(async () => ({ files: [] }));
    const { jobId } = await jobs.start(jobRequest());
    const wire = toWire(await completed(jobs, jobId));
    expect(Object.keys(wire).sort()).to.deep.equal([
      'allResultFiles',
      'attempts',
      'complete',
      'completedAt',
      'createdAt',
      'error',
      'expiresAt',
      'jobId',
      'metadata',
      'notes',
      'progress',
      'queuePosition',
      'result',
      'status',
      'step',
    ]);
    expect(wire.error).to.equal(null);
    expect(wire.result).to.be.a('string');
  });

  it('wraps the record while the job waits, with its place, and shows the members beside it', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened));
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await jobs.start(jobRequest())).jobId);
    await until(async () => ((await jobs.get(ids[0] ?? ''))?.status === 'running' ? true : undefined));
    const record = await jobs.get(ids[2] ?? '');
    expect(record && toWire(record)).to.deep.include({
      status: 'queued',
      complete: false,
      jobId: ids[2],
      queueInfo: { inQueue: true, position: 1 },
    });
    expect(record && toWire(record)).to.have.nested.property('jobResult.jobId', ids[2]);
    door.open();
    await Promise.all(ids.map((id) => completed(jobs, id)));
  });

  it('runs jobs in the order of arrival, as many at once as allowed', async () => {
    const order: string[] = [];
    let atOnce = 0;
    let most = 0;
    const jobs = await service(
      async (job) => {
        order.push(job.jobId);
        most = Math.max(most, (atOnce += 1));
        await until(() => (most > 1 ? true : undefined));
        await new Promise((resolve) => setTimeout(resolve, 5));
        atOnce -= 1;
        return { files: [] };
      },
      { concurrency: 2 },
    );
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push((await jobs.start(jobRequest())).jobId);
    await Promise.all(ids.map((id) => completed(jobs, id)));
    expect(most).to.equal(2);
    expect(new Set(order).size).to.equal(12);
    // Both places are filled at once; who of the two begins is chance.
    expect(ids.slice(0, 2)).to.include(order[0]);
  });

  it('puts the owner before the id while login is on', async () => {
    const jobs = await service(async () => ({ files: [] }));
    const { jobId } = await jobs.start(jobRequest({ owner: 'anna' }));
    expect(jobId).to.match(/^anna:[0-9a-f-]{36}$/);
    expect((await completed(jobs, jobId)).owner).to.equal('anna');
  });

  it('keeps code and data of a coded failure, and hides an uncoded one', async () => {
    const jobs = await service(async (job) => {
      if (job.path === 'coded') throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'no pages' });
      throw new Error('secret path /etc/x');
    });
    const coded = await completed(jobs, (await jobs.start(jobRequest({ path: 'coded' }))).jobId);
    expect(coded).to.deep.include({
      status: 'failed',
      complete: true,
      failure: { code: 'PDF_DAMAGED', data: { field: 'fileInput', detail: 'no pages' } },
    });
    expect(coded.error).to.match(/not a readable PDF: no pages/);
    const { jobId } = await jobs.start(jobRequest({ path: 'plain' }));
    const plain = await completed(jobs, jobId);
    expect(plain.failure?.code).to.equal('INTERNAL');
    expect(plain.error).to.not.include('/etc/x');
    expect(await codeOf(jobs.files(jobId))).to.equal('JOB_FAILED');
  });

  it('fails a job whose declared output is not there', async () => {
    const jobs = await service(async () => ({
      files: [{ path: '/nowhere/at-all', name: 'x', mediaType: 'a/b', kind: 'pdf' }],
    }));
    expect((await completed(jobs, (await jobs.start(jobRequest())).jobId)).failure?.code).to.equal('CONTRACT_BROKEN');
  });

  it('cancels a waiting job', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened));
    const first = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(first.jobId))?.status === 'running' ? true : undefined));
    const second = await jobs.start(jobRequest());
    expect(await jobs.cancel(second.jobId)).to.deep.equal({ wasQueued: true, queuePosition: 0 });
    expect(await jobs.get(second.jobId)).to.deep.include({ complete: true, status: 'cancelled' });
    door.open();
    expect((await completed(jobs, first.jobId)).status).to.equal('succeeded');
    expect(await jobs.get(second.jobId)).to.deep.include({ status: 'cancelled', attempts: 0 });
  });

  it('really stops the work of a running job that is cancelled', async () => {
    let stopped = false;
    const jobs = await service(waiting(new Promise(() => undefined), () => (stopped = true)));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    expect(await jobs.cancel(jobId)).to.deep.equal({ wasQueued: false, queuePosition: 'n/a' });
    await until(() => stopped || undefined);
    const record = await jobs.get(jobId);
    expect(record?.error).to.match(/cancelled by the user/);
    expect(await codeOf(jobs.cancel(jobId))).to.equal('JOB_COMPLETE');
    expect(await codeOf(jobs.cancel('nobody'))).to.equal('NOT_FOUND');
    const next = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(next.jobId))?.status === 'running' ? true : undefined));
  });

  it('ends a job at its time limit, even when the work does not listen', async () => {
    const jobs = await service(() => new Promise(() => undefined), { timeoutMs: 100 });
    const record = await completed(jobs, (await jobs.start(jobRequest())).jobId);
    expect(record).to.deep.include({ status: 'failed', attempts: 1 });
    expect(record.failure?.code).to.equal('TIMEOUT');
  });

  it('refuses more jobs than may wait, and says when to come again', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened), { maxQueued: 2 });
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => jobs.start(jobRequest())));
    const refused = tries.filter((one) => one.status === 'rejected');
    expect(refused.length).to.equal(7);
    const reason: unknown = refused[0]?.reason;
    expect(isQuireError(reason) && [reason.code, typeof reason.data['seconds']]).to.deep.equal([
      'QUEUE_FULL',
      'number',
    ]);
    expect((await jobs.stats()).queue).to.deep.include({ rejectedJobs: refused.length, queueCapacity: 2 });
    door.open();
    for (const one of tries) if (one.status === 'fulfilled') await completed(jobs, one.value.jobId);
  });

  it('removes expired jobs with their files, and no others', async () => {
    const door = gate();
    const jobs = await service(
      async (job) => {
        if (job.path === 'slow') await door.opened;
        return { files: [await out.write('a.pdf', 'x')] };
      },
      { concurrency: 2 },
    );
    const done = await jobs.start(jobRequest());
    const slow = await jobs.start(jobRequest({ path: 'slow' }));
    const record = await completed(jobs, done.jobId);
    expect(await jobs.cleanup()).to.deep.equal({ removedJobs: 0, remainingJobs: 2 });
    expect(await jobs.cleanup(new Date(Date.now() + 31 * 60_000))).to.deep.equal({ removedJobs: 1, remainingJobs: 1 });
    expect(await jobs.get(done.jobId)).to.equal(undefined);
    expect(await jobs.openFile(record.allResultFiles[0]?.fileId ?? '')).to.equal(undefined);
    expect(await codeOf(jobs.files(done.jobId))).to.equal('NOT_FOUND');
    expect(await codeOf(jobs.files(slow.jobId))).to.equal('JOB_NOT_FINISHED');
    expect(await blobCount()).to.equal(0);
    door.open();
    await completed(jobs, slow.jobId);
  });

  it('keeps results whose time ran out while the server was down for one more time', async () => {
    const first = await service(async () => ({ files: [] }));
    const { jobId } = await first.start(jobRequest());
    await completed(first, jobId);
    await first.close();
    await store.records<JobRecord>('jobs').update(jobId, { set: { expiresAtMs: Date.now() - 1000 } });
    const second = await service(async () => ({ files: [] }));
    await second.cleanup();
    expect((await second.get(jobId))?.graced).to.equal(true);
  });

  it('streams the record and every change until the end', async () => {
    const door = gate();
    const jobs = await service(async (_job, { progress, step }) => {
      step(1, 'general/rotate-pdf');
      progress(1, 2);
      await door.opened;
      return { files: [], json: 7 };
    });
    const { jobId } = await jobs.start(jobRequest());
    const seen: string[] = [];
    for await (const wire of jobs.events(jobId)) {
      seen.push(`${wire.status} ${wire.progress} ${wire.step?.index ?? '-'}`);
      if (wire.progress === 50) door.open();
    }
    expect(seen.at(-1)).to.equal('succeeded 100 -');
    expect(seen).to.include('running 50 1');
    expect(seen.length).to.be.lessThan(8);
  });

  it('ends a stream when its reader leaves, and gives none for an unknown job', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened));
    const { jobId } = await jobs.start(jobRequest());
    const leaving = new AbortController();
    for await (const wire of jobs.events(jobId, leaving.signal))
      if (!wire.complete) setTimeout(() => leaving.abort(), 20);
    for await (const wire of jobs.events('unknown')) expect.fail(`got ${wire.jobId}`);
    door.open();
    await completed(jobs, jobId);
  });

  it('lets no late twin write over a job that somebody else took on', async () => {
    const door = gate();
    const jobs = await service(async () => {
      await door.opened;
      return { files: [await out.write('late.pdf', 'late')] };
    });
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    await store
      .records<JobRecord>('jobs')
      .update(jobId, { set: { attempt: 'another', attempts: 2, heartbeatAtMs: Date.now() + 60_000 } });
    door.open();
    await jobs.drain(5000);
    expect(await jobs.get(jobId)).to.deep.include({ status: 'running', attempt: 'another', complete: false });
    expect(await blobCount()).to.equal(0);
  });

  it('stops work whose record somebody else took on', async () => {
    let stopped = false;
    const jobs = await service(waiting(new Promise(() => undefined), () => (stopped = true)));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    await store
      .records<JobRecord>('jobs')
      .update(jobId, { set: { attempt: 'another', heartbeatAtMs: Date.now() + 60_000 } });
    await until(() => stopped || undefined);
  });

  it('tries again what a lost worker broke, but not for ever', async () => {
    let starts = 0;
    const jobs = await service(async () => {
      starts += 1;
      throw new OperationalError('WORKER_LOST');
    });
    const record = await completed(jobs, (await jobs.start(jobRequest())).jobId);
    expect(record).to.deep.include({ status: 'failed', attempts: 2 });
    expect(starts).to.equal(2);
  });

  it('hands running work back on shutdown, and the next start finishes it', async () => {
    let starts = 0;
    const first = await service((job, context) => {
      starts += 1;
      return waiting(new Promise(() => undefined))(job, context);
    });
    const running = await first.start(jobRequest());
    await until(() => starts || undefined);
    const queued = await first.start(jobRequest());
    await first.drain(50);
    expect(await first.get(running.jobId)).to.deep.include({ status: 'queued', attempts: 0 });
    expect(await codeOf(first.start(jobRequest()))).to.equal('SHUTTING_DOWN');
    await first.close();
    const second = await service(async () => ({ files: [], json: 'done' }));
    expect(await completed(second, running.jobId)).to.deep.include({ status: 'succeeded', attempts: 1 });
    expect((await completed(second, queued.jobId)).status).to.equal('succeeded');
  });

  it('waits for running work on shutdown as long as allowed', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    setTimeout(() => door.open(), 30);
    await jobs.drain(10_000);
    expect((await jobs.get(jobId))?.status).to.equal('succeeded');
  });

  it('runs jobs that were taken in before the queue was open', async () => {
    const jobs = testJobService(store, async () => ({ files: [] }));
    services.push(jobs);
    const { jobId } = await jobs.start(jobRequest());
    await jobs.recover();
    expect((await completed(jobs, jobId)).status).to.equal('succeeded');
  });

  it('runs each job once when two servers share the queue', async () => {
    const ran: string[] = [];
    const execute: JobExecutor = async (job) => {
      ran.push(job.jobId);
      return { files: [await out.write('a.pdf', job.jobId)] };
    };
    const both = [await service(execute, { concurrency: 3 }), await service(execute, { concurrency: 3 })];
    const [one, two] = both as [JobService, JobService];
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push((await (n % 2 ? one : two).start(jobRequest())).jobId);
    for (const id of ids) expect((await completed(one, id)).attempts).to.equal(1);
    expect(ran.slice().sort()).to.deep.equal(ids.slice().sort());
    expect(await blobCount()).to.equal(40);
  });

  it('takes a burst of jobs at once and goes on serving', async () => {
    const jobs = await service(async () => ({ files: [] }), { concurrency: 4, maxQueued: 1000 });
    const started = await Promise.all(Array.from({ length: 200 }, () => jobs.start(jobRequest())));
    for (const { jobId } of started) expect((await completed(jobs, jobId)).status).to.equal('succeeded');
  });

  it('counts jobs as the statistics of administrators', async () => {
    const jobs = await service(async (job) => {
      if (job.path === 'bad') throw new InputError('PDF_NO_PAGES', { field: 'fileInput' });
      return { files: job.path === 'file' ? [await out.write('a.pdf', 'x')] : [] };
    });
    for (const path of ['file', 'bad', 'json']) await completed(jobs, (await jobs.start(jobRequest({ path }))).jobId);
    const { jobs: counted, queue } = await jobs.stats();
    expect(counted).to.deep.include({
      totalJobs: 3,
      activeJobs: 0,
      completedJobs: 3,
      failedJobs: 1,
      successfulJobs: 2,
      fileResultJobs: 1,
      oldestActiveJobTime: null,
    });
    expect(queue).to.deep.include({ queuedJobs: 0, totalQueuedJobs: 3, rejectedJobs: 0, resourceStatus: 'OK' });
  });
});
