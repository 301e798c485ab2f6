import { expect } from 'chai';
import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';
import type { Store } from '../../core/store/index.js';
import type { TemporaryStore } from './temporary-store.js';

/** Tests for every backend of the job queue: the embedded one and MongoDB. */
export function describeJobBackend(
  make: () => Promise<TemporaryStore>,
  backendOf: (store: Store) => Promise<AgendaBackend>,
): void {
  let home: TemporaryStore;
  let store: Store;
  let queue: JobRepository;
  beforeEach(async () => {
    home = await make();
    store = await home.open();
    const backend = await backendOf(store);
    await backend.connect();
    queue = backend.repository;
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
  });

  const now = (): Date => new Date();
  const ago = (ms: number): Date => new Date(Date.now() - ms);
  const add = (data: object, more: Partial<JobParameters> = {}): Promise<JobParameters> =>
    queue.saveJob<unknown>(
      { name: 'work', priority: 0, type: 'normal', nextRunAt: ago(1000), data, ...more } as JobParameters<unknown>,
      undefined,
    ) as Promise<JobParameters>;
  const next = (lockLifetimeMs = 30_000): Promise<JobParameters | undefined> =>
    queue.getNextJobToRun('work', now(), ago(lockLifetimeMs), undefined, undefined);
  const dataOf = (job: JobParameters | undefined): unknown => job?.data;

  it('returns jobs in the order of their time, then of their priority', async () => {
    const at = ago(5000);
    await add({ n: 'late' });
    await add({ n: 'low' }, { nextRunAt: at });
    await add({ n: 'high' }, { nextRunAt: at, priority: 10 });
    expect([dataOf(await next()), dataOf(await next()), dataOf(await next()), await next()]).to.deep.equal([
      { n: 'high' },
      { n: 'low' },
      { n: 'late' },
      undefined,
    ]);
  });

  it('returns no job that is not due yet, disabled, or has another name', async () => {
    await add({ n: 1 }, { nextRunAt: new Date(Date.now() + 60_000) });
    await add({ n: 2 }, { disabled: true });
    await add({ n: 3 }, { name: 'other' });
    expect(await next()).to.equal(undefined);
  });

  it('returns each job to exactly one of many concurrent callers', async () => {
    for (let n = 0; n < 10; n += 1) await add({ n });
    const got = await Promise.all(Array.from({ length: 25 }, () => next()));
    const ids = got.filter((job) => job !== undefined).map((job) => String(job._id));
    expect(ids).to.have.length(10);
    expect(new Set(ids).size).to.equal(10);
  });

  it('locks a job that it returns, and releases it on unlock', async () => {
    const { _id } = await add({ n: 1 });
    const locked = await next();
    expect(locked?.lockedAt).to.be.instanceOf(Date);
    expect(await next()).to.equal(undefined);
    if (locked) await queue.unlockJob(locked);
    expect(String((await next())?._id)).to.equal(String(_id));
    if (_id) await queue.unlockJobs([_id]);
    expect(await next()).to.not.equal(undefined);
  });

  it('returns a job again when its lock is stale, even after its last run', async () => {
    const { _id } = await add({ n: 1 });
    const locked = await next();
    if (locked) await queue.saveJobState({ ...locked, nextRunAt: null, lockedAt: ago(60_000) }, undefined);
    expect(String((await next())?._id)).to.equal(String(_id));
  });

  it('locks a single job only while it is unlocked and unchanged', async () => {
    const job = await add({ n: 1 });
    expect(await queue.lockJob({ ...job, nextRunAt: ago(1) }, undefined)).to.equal(undefined);
    expect((await queue.lockJob(job, undefined))?.lockedAt).to.be.instanceOf(Date);
    expect(await queue.lockJob(job, undefined)).to.equal(undefined);
  });

  it('saves the state of a job', async () => {
    const job = await add({ n: 1 });
    const at = ago(10);
    await queue.saveJobState(
      {
        ...job,
        nextRunAt: null,
        lastRunAt: at,
        lastFinishedAt: at,
        failedAt: at,
        failCount: 2,
        failReason: 'why',
        progress: 40,
      },
      { lastModifiedBy: 'me' },
    );
    const read = await queue.getJobById(String(job._id));
    expect(read).to.deep.include({
      nextRunAt: null,
      failCount: 2,
      failReason: 'why',
      progress: 40,
      lastModifiedBy: 'me',
    });
    expect(read?.lastRunAt?.getTime()).to.equal(at.getTime());
    expect(dataOf(read ?? undefined)).to.deep.equal({ n: 1 });
  });

  it('refuses to save the state of a deleted job', async () => {
    const job = await add({ n: 1 });
    await queue.removeJobs({ id: String(job._id) });
    expect(
      await queue.saveJobState(job, undefined).then(
        () => 'kept',
        () => 'refused',
      ),
    ).to.equal('refused');
  });

  it('saves a job again under its id', async () => {
    const job = await add({ n: 1 });
    await queue.saveJob<unknown>({ ...job, data: { n: 2 } } as JobParameters<unknown>, undefined);
    expect((await queue.queryJobs()).total).to.equal(1);
    expect(dataOf((await queue.getJobById(String(job._id))) ?? undefined)).to.deep.equal({ n: 2 });
  });

  it('keeps one row for a job of type single', async () => {
    await add({ n: 1 }, { type: 'single' });
    await add({ n: 2 }, { type: 'single' });
    const { jobs } = await queue.queryJobs({ name: 'work' });
    expect(jobs.map((job) => job.data)).to.deep.equal([{ n: 2 }]);
  });

  it('removes by id, by name and by part of the data, and nothing without a filter', async () => {
    const first = await add({ jobId: 'a', more: { x: 1, y: 2 } });
    await add({ jobId: 'b' });
    await add({ jobId: 'c' }, { name: 'other' });
    expect(await queue.removeJobs({})).to.equal(0);
    expect(await queue.removeJobs({ name: 'work', data: { jobId: 'b' } })).to.equal(1);
    expect(await queue.removeJobs({ data: { more: { y: 2 } } })).to.equal(1);
    expect(await queue.getJobById(String(first._id))).to.equal(null);
    expect(await queue.removeJobs({ notNames: ['work'] })).to.equal(1);
    await add({ n: 1 });
    expect(await queue.purgeAllJobs()).to.equal(1);
  });

  it('disables and enables', async () => {
    await add({ n: 1 });
    expect(await queue.disableJobs({ name: 'work' })).to.equal(1);
    expect(await next()).to.equal(undefined);
    expect(await queue.enableJobs({ name: 'work' })).to.equal(1);
    expect(await next()).to.not.equal(undefined);
  });

  it('reports states, names and counts', async () => {
    await add({ n: 1 });
    await add({ n: 2 }, { nextRunAt: new Date(Date.now() + 60_000) });
    await add({ n: 3 }, { name: 'other' });
    await next();
    expect((await queue.queryJobs({ state: 'running' })).jobs.map((job) => job.data)).to.deep.equal([{ n: 1 }]);
    expect((await queue.queryJobs({ state: 'scheduled' })).total).to.equal(1);
    expect((await queue.queryJobs({ limit: 1, skip: 1 })).jobs).to.have.length(1);
    expect((await queue.getDistinctJobNames()).sort()).to.deep.equal(['other', 'work']);
    expect((await queue.getJobsOverview()).find((one) => one.name === 'work')).to.deep.include({
      total: 2,
      running: 1,
      scheduled: 1,
    });
    expect(await queue.getQueueSize()).to.equal(2);
  });
}
