import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import {
  completed,
  gate,
  jobRequest,
  jobServices,
  outputFolder,
  until,
  type OutputFolder,
} from '../../test/suites/job-harness.js';
import { blobsOn } from '../../test/suites/s3-blobs.js';
import { S3Server } from '../../test/suites/s3-server.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { JobExecutor } from './job-executor.js';
import type { JobRequest, JobService } from './job-service.js';

const HOUR_MS = 3_600_000;

describeStores('jobs whose files are in a bucket', function (make, kind) {
  const on = jobServices(make);
  let server: S3Server;
  let folder: string;
  let outputs: OutputFolder;
  let bucket: ReturnType<typeof blobsOn>;
  beforeEach(async () => {
    server = await S3Server.start();
    server.now = () => new Date();
    folder = await mkdtemp(join(tmpdir(), 'quire-artifacts-'));
    outputs = await outputFolder();
    bucket = blobsOn(server.port, { temporaryFolder: folder });
  });
  afterEach(async () => {
    await bucket.close();
    await server.stop();
    await outputs.remove();
    await rm(folder, { recursive: true, force: true });
  });
  const open = (execute: JobExecutor): Promise<JobService> =>
    on.open(execute, {}, { artifacts: bucket.blobs, temporaryFolder: folder });
  const shouts: JobExecutor = async ({ inputs }) => ({
    files: [await outputs.write('out.pdf', (await readFile(inputs[0]?.path ?? '', 'utf8')).toUpperCase())],
  });
  const upload = async (content = 'quiet'): Promise<JobRequest> => {
    const path = join(folder, 'upload');
    await writeFile(path, content);
    return jobRequest({ inputs: [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', path }] });
  };
  const run = async (jobs: JobService): Promise<{ jobId: string; fileId: string }> => {
    const { jobId } = await jobs.start(await upload());
    const { status, allResultFiles } = await completed(jobs, jobId);
    expect(status).to.equal('succeeded');
    return { jobId, fileId: allResultFiles[0]?.fileId ?? '' };
  };
  const objects = (count: number): Promise<true> =>
    until(() => (server.objects.size === count ? true : undefined), 5000);

  it('read and write them there alone; uploads go when the job ends', async () => {
    const jobs = await open(shouts);
    const { jobId, fileId } = await run(jobs);
    await objects(1);
    const result = `/quire/transient/one/jobs/${fileId}`;
    expect([...server.objects.keys()]).to.deep.equal([result]);
    const transfers = server.requests.filter((request) => /^(?:PUT|GET) .*\/jobs\//.test(request));
    const sent = transfers[0]?.replace('PUT ', '') ?? '';
    expect(transfers, 'each file crosses once each way').to.deep.equal([`PUT ${sent}`, `GET ${sent}`, `PUT ${result}`]);
    const place = join(folder, 'result');
    const record = (await jobs.get(jobId)) ?? expect.fail('the job is gone');
    expect(await jobs.resultOnDisk(record, fileId, () => place)).to.equal(place);
    expect(await readFile(place, 'utf8')).to.equal('QUIET');
    expect(server.requests.at(-1)).to.equal(`GET ${result}`);
    for await (const { id } of on.store.blobs.area('jobs').list()) expect.fail(`${id} is in the store`);
    const whole = await jobs.openFile(fileId);
    expect([whole && (await text(whole.stream)), whole?.size, whole?.path]).to.deep.equal(['QUIET', 5, undefined]);
    const part = await jobs.openFile(fileId, { start: 1, end: 2 });
    expect([part && (await text(part.stream)), part?.size]).to.deep.equal(['UI', 5]);
    const before = server.requests.length;
    expect(await jobs.describeFile(fileId)).to.include({ fileName: 'out.pdf', fileSize: 5 });
    expect(server.requests.slice(before), 'is not downloaded to be described').to.deep.equal([
      `HEAD /quire/transient/one/jobs/${fileId}`,
    ]);
  });

  it('remove them when a job is cancelled, deleted or expired', async () => {
    const hold = gate();
    const jobs = await open(async (job, run) => {
      if (job.params['angle'] === 90) return shouts(job, run);
      await hold.opened;
      return { files: [] };
    });
    const first = await run(jobs);
    const second = await run(jobs);
    const busy = await jobs.start({ ...(await upload()), params: { angle: 180 } });
    await until(async () => ((await jobs.get(busy.jobId))?.status === 'running' ? true : undefined));
    const waiting = await jobs.start(await upload());
    await objects(4);
    await jobs.cancel(waiting.jobId);
    await objects(3);
    await jobs.forget(first.jobId);
    await objects(2);
    await jobs.cancel(busy.jobId);
    hold.open();
    await objects(1);
    expect((await jobs.cleanup(new Date(Date.now() + HOUR_MS))).remainingJobs).to.equal(0);
    expect(await jobs.openFile(second.fileId)).to.equal(undefined);
    await objects(0);
  });

  it('remove what no job names once it is an hour old, and not before', async () => {
    const jobs = await open(shouts);
    const { fileId } = await run(jobs);
    const orphan = await bucket.blobs.put(join(folder, 'upload'));
    server.now = () => new Date(Date.now() - HOUR_MS - 1000);
    const old = await bucket.blobs.put(join(folder, 'upload'));
    await objects(3);
    await jobs.cleanup();
    for (const [id, there] of [
      [fileId, true],
      [orphan.id, true],
      [old.id, false],
    ] as const)
      expect(await bucket.blobs.exists(id)).to.equal(there);
    await jobs.close();
    // By the clock of the bucket this upload is older than the start.
    server.now = () => new Date(Date.now() - 60_000);
    const young = await bucket.blobs.put(join(folder, 'upload'));
    await open(shouts);
    expect(await bucket.blobs.exists(young.id)).to.equal(true);
  });

  it('refuse a job while the bucket is away, and leave nothing of it', async () => {
    const jobs = await open(shouts);
    const { jobId, fileId } = await run(jobs);
    await objects(1);
    const { port } = server;
    await server.stop();
    expect(await codeOf(jobs.start(await upload()))).to.equal('STORE_DOWN');
    expect(await codeOf(jobs.openFile(fileId))).to.equal('STORE_DOWN');
    expect(await codeOf(jobs.cleanup(new Date(Date.now() + HOUR_MS)))).to.equal('STORE_DOWN');
    await server.listen(port);
    expect((await jobs.get(jobId))?.status, 'an expired job waits for its files').to.equal('succeeded');
    expect((await jobs.queueStats()).queuedJobs).to.equal(0);
    await run(jobs);
    expect((await jobs.cleanup(new Date(Date.now() + HOUR_MS))).removedJobs).to.equal(2);
    await objects(0);
  });

  it('keep a result that cannot be stored until the bucket is back', async function () {
    this.timeout(30_000);
    const [started, hold] = [gate(), gate()];
    let runs = 0;
    const jobs = await open(async (job, run) => {
      runs += 1;
      started.open();
      await hold.opened;
      return shouts(job, run);
    });
    const { jobId } = await jobs.start(await upload());
    await started.opened;
    const { port } = server;
    await server.stop();
    hold.open();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await jobs.get(jobId))?.status).to.equal('running');
    await server.listen(port);
    const record = await completed(jobs, jobId);
    expect([record.status, record.attempts, runs]).to.deep.equal(['succeeded', 1, 1]);
    const file = await jobs.openFile(record.allResultFiles[0]?.fileId ?? '');
    expect(file && (await text(file.stream))).to.equal('QUIET');
  });

  it('wait with their uploads while the bucket is away, and fail when one is missing there', async function () {
    this.timeout(30_000);
    const hold = gate();
    const jobs = await open(async (job, run) => {
      if (job.params['angle'] === 90) return shouts(job, run);
      await hold.opened;
      return { files: [] };
    });
    const first = await jobs.start(jobRequest({ params: { angle: 180 } }));
    await until(async () => ((await jobs.get(first.jobId))?.status === 'running' ? true : undefined));
    const kept = await jobs.start(await upload());
    await objects(1);
    const lost = await jobs.start(await upload());
    server.objects.delete([...server.objects.keys()].at(-1) ?? '');
    const { port } = server;
    await server.stop();
    hold.open();
    await until(async () => ((await jobs.get(kept.jobId))?.status === 'running' ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await server.listen(port);
    expect((await completed(jobs, kept.jobId)).status).to.equal('succeeded');
    const { status, error, failure } = await completed(jobs, lost.jobId);
    expect([status, failure?.code]).to.deep.equal(['failed', 'JOB_FILE_LOST']);
    expect(error).to.contain('"a.pdf" of this job is missing');
  });

  it('start while the bucket is away', async () => {
    const { port } = server;
    await server.stop();
    const jobs = await open(shouts);
    await server.listen(port);
    await run(jobs);
  });

  if (kind === 'mongodb')
    it('are shared by the nodes of a store', async () => {
      const hold = gate();
      const one = await open(async () => {
        await hold.opened;
        return { files: [] };
      });
      const busy = await one.start(jobRequest());
      await until(async () => ((await one.get(busy.jobId))?.status === 'running' ? true : undefined));
      const { jobId } = await one.start(await upload());
      const two = await open(shouts);
      const record = await completed(two, jobId);
      hold.open();
      const file = await one.openFile(record.allResultFiles[0]?.fileId ?? '');
      expect(file && (await text(file.stream))).to.equal('QUIET');
    });
});
