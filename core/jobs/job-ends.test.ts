import { expect } from 'chai';
import { InputError, OperationalError } from '@quire/registry/errors';
import { completed, jobRequest, jobServices, until, untilAborted } from '../../test/suites/job-harness.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { JobExecutor } from './job-executor.js';
import type { JobRecord } from './job-record.js';
import type { JobService } from './job-service.js';
import type { JobServiceOptions } from './job-options.js';

describeStores('ends of jobs', (make) => {
  const on = jobServices(make);
  const service = (execute: JobExecutor, more: Partial<JobServiceOptions> = {}): Promise<JobService> =>
    on.open(execute, {}, more);

  it('are reported once each, with the final record', async () => {
    const ended: JobRecord[] = [];
    const jobs = await service(
      async (job) => {
        if (job.params['angle'] === 1) throw new InputError('PDF_DAMAGED');
        if (job.params['angle'] === 2) await new Promise(() => undefined);
        return { files: [], json: {} };
      },
      { onEnd: (record) => void ended.push(record) },
    );
    const [good, bad] = [await jobs.start(jobRequest()), await jobs.start(jobRequest({ params: { angle: 1 } }))];
    for (const { jobId } of [good, bad]) await completed(jobs, jobId);
    const [running, waits] = [await jobs.start(jobRequest({ params: { angle: 2 } })), await jobs.start(jobRequest())];
    await until(async () => ((await jobs.get(running.jobId))?.status === 'running' ? true : undefined));
    await jobs.cancel(waits.jobId);
    await jobs.cancel(running.jobId);
    await until(() => ended.length >= 4 || undefined);
    expect(ended.map(({ jobId, status, complete }) => [jobId, status, complete])).to.deep.equal([
      [good.jobId, 'succeeded', true],
      [bad.jobId, 'failed', true],
      [waits.jobId, 'cancelled', true],
      [running.jobId, 'cancelled', true],
    ]);
    expect(ended[0]?.completedAtMs).to.be.a('number');
  });

  it('are not needed for jobs that a full disk refuses: no record and no file is left', async () => {
    const full = new OperationalError('STORAGE_FULL');
    const jobs = await service(async () => ({ files: [], json: {} }), { admit: () => Promise.reject(full) });
    expect(await jobs.start(jobRequest()).catch((error: unknown) => error)).to.equal(full);
    expect((await jobs.stats()).totalJobs).to.equal(0);
  });

  it("happen to all jobs of a deleted owner, waiting and running, and to nobody else's", async () => {
    const jobs = await service((_job, { signal }) => untilAborted(signal));
    const [first, second, other, nobodys] = [
      await jobs.start(jobRequest({ owner: '7' })),
      await jobs.start(jobRequest({ owner: '7' })),
      await jobs.start(jobRequest({ owner: '8' })),
      await jobs.start(jobRequest()),
    ];
    await until(async () => ((await jobs.get(first.jobId))?.status === 'running' ? true : undefined));
    expect([await jobs.cancelAllOf('7'), await jobs.cancelAllOf('7'), await jobs.cancelAllOf('')]).to.deep.equal([
      2, 0, 0,
    ]);
    for (const { jobId } of [first, second])
      expect(await jobs.get(jobId)).to.deep.include({ complete: true, status: 'cancelled' });
    await until(async () => ((await jobs.get(other.jobId))?.status === 'running' ? true : undefined));
    expect(await jobs.get(nobodys.jobId)).to.deep.include({ complete: false });
  });
});
