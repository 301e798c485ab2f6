import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { InputError } from '@quire/registry/errors';
import { completed, gate, jobRequest, until } from '../../test/suites/job-harness.js';
import { useJobServices } from '../../test/suites/job-services.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import { toWire, type JobFileRecord, type JobRecord } from './job-record.js';

describeStores('job service', (make) => {
  const use = useJobServices(make);
  const { service, codeOf, waiting, blobCount } = use;

  it('keeps the files, names, types and facts of a finished job', async () => {
    let released = false;
    const facts = { effects: ['lossy'], warnings: [], ignored: ['x'], report: { pages: 2 } };
    const jobs = await service(async () => ({
      files: [await use.out.write('a.pdf', 'first'), await use.out.write('b.pdf', 'second')],
      metadata: { policyId: 'p' },
      facts,
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
      facts,
      metadata: { policyId: 'p' },
    });
    expect(record.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
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
    const [one = '', two = ''] = files.map(({ fileId }) => fileId);
    const guessed = [...one].map((digit, at) => (at < 31 ? digit : digit === '0' ? '1' : '0')).join('');
    expect(one.slice(16), 'the id of one file does not give away another').not.to.equal(two.slice(16));
    expect(await jobs.openFile(guessed)).to.equal(undefined);
    await until(() => released || undefined);
  });

  it('finds result files of earlier versions by the rows that they had, and deletes those too', async () => {
    // Too large to be in the record, where earlier versions never have it.
    const first = 'first'.repeat(40_000);
    const jobs = await service(async () => ({ files: [await use.out.write('a.pdf', first)] }));
    const { jobId } = await jobs.start(jobRequest());
    const { allResultFiles } = await completed(jobs, jobId);
    const fileId = allResultFiles[0]?.fileId ?? '';
    const records = use.store.records<JobRecord>('jobs');
    const { resultKey: _key, ...older } = (await records.get(jobId)) ?? expect.fail('no job');
    await records.put(older);
    expect(await jobs.openFile(fileId), 'without a row').to.equal(undefined);
    const rows = use.store.records<JobFileRecord>('job_files');
    await rows.insert({ id: fileId, jobId });
    const opened = await jobs.openFile(fileId);
    expect(opened && (await text(opened.stream))).to.equal(first);
    await jobs.forget(jobId);
    expect(await rows.count()).to.equal(0);
  });

  it('stores uploads before it responds, passes them to the executor, and deletes them afterwards', async () => {
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
      'failureCode',
      'failureStatus',
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

  it('wraps the record while the job waits, with its position, and repeats the members next to it', async () => {
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

  it('runs jobs in order of arrival, up to the allowed number at once', async () => {
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
    // Both places are filled at once; which of the two starts first is random.
    expect(ids.slice(0, 2)).to.include(order[0]);
  });

  it('puts the owner before the id while login is on', async () => {
    const jobs = await service(async () => ({ files: [] }));
    const { jobId } = await jobs.start(jobRequest({ owner: 'anna' }));
    expect(jobId).to.match(/^anna:[0-9a-f-]{36}$/);
    expect((await completed(jobs, jobId)).owner).to.equal('anna');
  });

  it('keeps code and data of a coded failure, and hides the details of others', async () => {
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

  it('fails a job whose declared output does not exist', async () => {
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

  it('stops the work of a running job that is cancelled', async () => {
    let stopped = false;
    const jobs = await service(waiting(new Promise(() => undefined), () => (stopped = true)));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    expect(await jobs.cancel(jobId)).to.deep.equal({ wasQueued: false, queuePosition: 'n/a' });
    await until(() => stopped || undefined);
    const record = await jobs.get(jobId);
    expect(record?.error).to.match(/cancelled by the user/);
    expect(await codeOf(jobs.cancel(jobId))).to.equal('JOB_COMPLETE');
    expect(await codeOf(jobs.cancel('nobody'))).to.equal('JOB_UNKNOWN');
    const next = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(next.jobId))?.status === 'running' ? true : undefined));
  });

  it('ends a job at its time limit, even if its work ignores the signal', async () => {
    const jobs = await service(() => new Promise(() => undefined), { limit: { limitMs: 100, totalTimes: 1 } });
    const record = await completed(jobs, (await jobs.start(jobRequest())).jobId);
    expect(record).to.deep.include({ status: 'failed', attempts: 1 });
    expect(record.failure?.code).to.equal('TIMEOUT');
  });
});
