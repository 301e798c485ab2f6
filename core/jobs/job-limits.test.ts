import { expect } from 'chai';
import { InputError, isQuireError, OperationalError } from '@quire/registry/errors';
import { completed, gate, jobRequest, testJobService, until } from '../../test/suites/job-harness.js';
import { useJobServices } from '../../test/suites/job-services.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import { type JobRecord } from './job-record.js';
import { type JobExecutor } from './job-executor.js';
import { type JobService } from './job-service.js';

describeStores('job service at its limits', (make) => {
  const use = useJobServices(make);
  const { service, codeOf, waiting, blobCount } = use;

  it('refuses more jobs than may wait, and says when to retry', async () => {
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
    expect(await jobs.queueStats()).to.deep.include({ rejectedJobs: refused.length, queueCapacity: 2 });
    door.open();
    for (const one of tries) if (one.status === 'fulfilled') await completed(jobs, one.value.jobId);
  });

  it('removes expired jobs with their files, and no others', async () => {
    const door = gate();
    const jobs = await service(
      async (job) => {
        if (job.path === 'slow') await door.opened;
        return { files: [await use.out.write('a.pdf', 'x')] };
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
    expect(await codeOf(jobs.files(done.jobId))).to.equal('JOB_UNKNOWN');
    expect(await codeOf(jobs.files(slow.jobId))).to.equal('JOB_NOT_FINISHED');
    expect(await blobCount()).to.equal(0);
    door.open();
    await completed(jobs, slow.jobId);
  });

  it('keeps results that expired while the server was down for one more period', async () => {
    const first = await service(async () => ({ files: [] }));
    const { jobId } = await first.start(jobRequest());
    await completed(first, jobId);
    await first.close();
    await use.store.records<JobRecord>('jobs').update(jobId, { set: { expiresAtMs: Date.now() - 1000 } });
    const second = await service(async () => ({ files: [] }));
    await second.cleanup();
    expect((await second.get(jobId))?.graced).to.equal(true);
  });

  it('streams the record and every change until the job is complete', async () => {
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

  it('ends a stream when its reader leaves, and has none for an unknown job', async () => {
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

  it('does not let a late run overwrite a job that another run has taken over', async () => {
    const door = gate();
    const jobs = await service(async () => {
      await door.opened;
      return { files: [await use.out.write('late.pdf', 'late')] };
    });
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    await use.store
      .records<JobRecord>('jobs')
      .update(jobId, { set: { claimId: 'another', attempts: 2, heartbeatAtMs: Date.now() + 60_000 } });
    door.open();
    await jobs.drain(5000);
    expect(await jobs.get(jobId)).to.deep.include({ status: 'running', claimId: 'another', complete: false });
    expect(await blobCount()).to.equal(0);
  });

  it('stops work when another run has taken over its record', async () => {
    let stopped = false;
    const jobs = await service(waiting(new Promise(() => undefined), () => (stopped = true)));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    await use.store
      .records<JobRecord>('jobs')
      .update(jobId, { set: { claimId: 'another', heartbeatAtMs: Date.now() + 60_000 } });
    await until(() => stopped || undefined);
  });

  it('runs a job of an earlier version again, whose own run may then write no more', async () => {
    const first = await service(waiting(new Promise(() => undefined)));
    const { jobId } = await first.start(jobRequest());
    await until(async () => ((await first.get(jobId))?.status === 'running' ? true : undefined));
    await first.drain(50);
    await first.close();
    // Earlier versions kept the id of the claim in `attempt`.
    const records = use.store.records<Omit<JobRecord, 'claimId' | 'attempt'> & { attempt: string }>('jobs');
    const record = (await use.store.records<JobRecord>('jobs').get(jobId))!;
    const { claimId: _none, ...earlier } = record;
    await records.delete(jobId);
    await records.insert({ ...earlier, status: 'running', attempts: 1, attempt: 'earlier', heartbeatAtMs: 0 });
    const door = gate();
    const second = await service(async () => {
      await door.opened;
      return { files: [], json: 'done' };
    });
    await until(async () => ((await second.get(jobId))?.attempts === 2 ? true : undefined));
    const late = await records.update(jobId, { set: { progress: 99 } }, { attempt: 'earlier', complete: false });
    expect(late).to.equal(undefined);
    door.open();
    expect(await completed(second, jobId)).to.deep.include({ status: 'succeeded', attempts: 2, result: 'done' });
  });

  it('retries a job whose worker was lost, but not for ever', async () => {
    let starts = 0;
    const jobs = await service(async () => {
      starts += 1;
      throw new OperationalError('WORKER_LOST');
    });
    const record = await completed(jobs, (await jobs.start(jobRequest())).jobId);
    expect(record).to.deep.include({ status: 'failed', attempts: 2 });
    expect(starts).to.equal(2);
  });

  it('puts running work back in the queue on shutdown, and the next start finishes it', async () => {
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

  it('waits for running work on shutdown up to the time limit', async () => {
    const door = gate();
    const jobs = await service(waiting(door.opened));
    const { jobId } = await jobs.start(jobRequest());
    await until(async () => ((await jobs.get(jobId))?.status === 'running' ? true : undefined));
    setTimeout(() => door.open(), 30);
    await jobs.drain(10_000);
    expect((await jobs.get(jobId))?.status).to.equal('succeeded');
  });

  it('runs jobs that were accepted before the queue was open', async () => {
    const jobs = testJobService(use.store, async () => ({ files: [] }));
    use.closeAfterwards(jobs);
    const { jobId } = await jobs.start(jobRequest());
    await jobs.recover();
    expect((await completed(jobs, jobId)).status).to.equal('succeeded');
  });

  it('runs each job once when two servers share the queue', async () => {
    const ran: string[] = [];
    const execute: JobExecutor = async (job) => {
      ran.push(job.jobId);
      // Too large to be in its record.
      return { files: [await use.out.write('a.pdf', job.jobId.padEnd(140_000))] };
    };
    const both = [await service(execute, { concurrency: 3 }), await service(execute, { concurrency: 3 })];
    const [one, two] = both as [JobService, JobService];
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push((await (n % 2 ? one : two).start(jobRequest())).jobId);
    for (const id of ids) expect((await completed(one, id)).attempts).to.equal(1);
    expect(ran.slice().sort()).to.deep.equal(ids.slice().sort());
    expect(await blobCount()).to.equal(40);
  });

  it('accepts a burst of jobs at once and keeps responding', async () => {
    const jobs = await service(async () => ({ files: [] }), { concurrency: 4, maxQueued: 1000 });
    const started = await Promise.all(Array.from({ length: 200 }, () => jobs.start(jobRequest())));
    for (const { jobId } of started) expect((await completed(jobs, jobId)).status).to.equal('succeeded');
  });

  it('counts jobs for the statistics of administrators', async () => {
    const go = Promise.withResolvers<void>();
    const jobs = await service(async (job) => {
      if (job.path === 'wait') await go.promise;
      if (job.path === 'bad') throw new InputError('PDF_NO_PAGES', { field: 'fileInput' });
      return { files: job.path === 'file' ? [await use.out.write('a.pdf', 'x')] : [] };
    });
    for (const path of ['file', 'bad', 'json']) await completed(jobs, (await jobs.start(jobRequest({ path }))).jobId);
    const waits = await jobs.start(jobRequest({ path: 'wait' }));
    await until(async () => (await jobs.states()).byState.running === 1 || undefined);
    const running = await jobs.stats();
    expect(running).to.include({ totalJobs: 4, activeJobs: 1, completedJobs: 3 });
    expect(running.newestActiveJobTime).to.equal(running.oldestActiveJobTime);
    const since = Date.parse((await jobs.get(waits.jobId))?.createdAt ?? '');
    expect(Date.parse(running.oldestActiveJobTime ?? '')).to.be.closeTo(since, 1000);
    go.resolve();
    await completed(jobs, waits.jobId);
    expect(await jobs.stats()).to.deep.include({
      totalJobs: 4,
      activeJobs: 0,
      completedJobs: 4,
      failedJobs: 1,
      successfulJobs: 3,
      fileResultJobs: 1,
      oldestActiveJobTime: null,
    });
    const queue = await jobs.queueStats();
    expect(queue).to.deep.include({ queuedJobs: 0, totalQueuedJobs: 4, rejectedJobs: 0, resourceStatus: 'OK' });
  });
});
