import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { isQuireError } from '@quire/registry/errors';
import { shiftClock } from '../../test/kit/shifted-clock.js';
import { completed, gate, jobRequest, jobServices, until, untilAborted } from '../../test/suites/job-harness.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import { Leases, SteadyClock, unmet, type LeaseRecord, type Needs } from './cluster/index.js';
import type { JobCluster } from './job-options.js';
import type { JobExecutor } from './job-executor.js';
import type { JobRecord } from './job-record.js';

describeStores('jobs on several nodes', (make, kind) => {
  const on = jobServices(make);

  /** Simulates a cluster: the operations that this node, and that all nodes together, can run. */
  const cluster = (
    here: Readonly<Record<string, string>>,
    all: () => Readonly<Record<string, string>>,
    runsJobs = true,
  ): JobCluster => {
    const clock = new SteadyClock();
    return {
      runsJobs,
      clock,
      leases: new Leases({ records: on.store.records<LeaseRecord>('leases'), now: () => clock.now() }),
      unmetHere: (needs: Needs) => unmet(needs, new Map(Object.entries(here))),
      unmetAnywhere: async (needs: Needs) => unmet(needs, new Map(Object.entries(all()))),
      readAttached: async () => false,
      sweep: async () => undefined,
    };
  };
  const node = on.open;
  const says =
    (name: string): JobExecutor =>
    async () => ({ files: [], json: name });
  const refused = async (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => (isQuireError(error) ? error.code : String(error)),
    );

  it('runs the jobs of an owner in order, with those of other owners in between', async () => {
    const ran: string[] = [];
    const jobs = await node(
      async (job) => {
        ran.push(String(job.params['name']));
        return { files: [] };
      },
      {},
      { cluster: cluster({}, () => ({}), false) },
    );
    const add = async (owner: string, name: string, urgency?: number): Promise<string> =>
      (await jobs.start(jobRequest({ owner, params: { name }, ...(urgency === undefined ? {} : { urgency }) }))).jobId;
    const ids = [];
    for (const name of ['a1', 'a2', 'a3', 'a4']) ids.push(await add('ann', name));
    ids.push(await add('bob', 'b1'), await add('bob', 'late', 7), await add('ann', 'first', 0), await add('bob', 'b2'));
    expect((await jobs.get(ids[4] ?? ''))?.queuePosition, 'b1 comes after a1 and the urgent job').to.equal(2);
    await jobs.close();
    const worker = await node(async (job) => {
      ran.push(String(job.params['name']));
      return { files: [] };
    });
    for (const id of ids) await completed(worker, id);
    expect(ran).to.deep.equal(['first', 'a1', 'b1', 'a2', 'a3', 'b2', 'a4', 'late']);
  });

  it('limits the number of waiting jobs of one owner', async () => {
    const jobs = await node(
      says('done'),
      { maxQueuedPerOwner: 2, maxQueued: 4 },
      { cluster: cluster({}, () => ({}), false) },
    );
    for (const owner of ['ann', 'ann', 'bob']) await jobs.start(jobRequest({ owner }));
    expect(await refused(jobs.start(jobRequest({ owner: 'ann' })))).to.equal('QUEUE_FULL');
    await jobs.start(jobRequest({ owner: 'bob' }));
    expect(await refused(jobs.start(jobRequest({ owner: 'eve' }))), 'all together').to.equal('QUEUE_FULL');
    expect((await jobs.queueStats()).rejectedJobs).to.equal(2);
  });

  it('limits the number of waiting jobs of a caller whose role says so', async () => {
    const jobs = await node(
      says('done'),
      { maxQueued: 10, maxQueuedPerOwner: 3, mostWaitingOf: ({ id }) => (id === 'ann' ? 1 : undefined) },
      { cluster: cluster({}, () => ({}), false) },
    );
    const start = (id: string): Promise<unknown> =>
      jobs.start(jobRequest({ owner: id, caller: { id, name: id, role: 'user', via: 'key' } }));
    await start('ann');
    expect(await refused(start('ann'))).to.equal('QUEUE_FULL');
    for (let n = 0; n < 3; n++) await start('bob');
    expect(await refused(start('bob')), 'the limit of the server').to.equal('QUEUE_FULL');
  });

  it('does not run on a node that only accepts jobs', async () => {
    const web = await node(says('web'), {}, { cluster: cluster({}, () => ({}), false) });
    const { jobId } = await web.start(jobRequest());
    await delay(500);
    expect((await web.get(jobId))?.status).to.equal('queued');
  });

  it('fails with a clear error when no node has what it needs', async function () {
    this.timeout(60_000);
    const make = cluster({ 'misc/a': '1.0.0' }, () => ({ 'misc/a': '1.0.0' }));
    const jobs = await node(says('done'), { waitForNodeMs: 500 }, { cluster: make });
    const { jobId } = await jobs.start(jobRequest({ needs: ['misc/a@1.0.0', 'misc/b@1.2.0'] }));
    const record = await completed(jobs, jobId);
    expect(record).to.include({ status: 'failed', attempts: 0 });
    expect(record.failure?.code).to.equal('NO_NODE');
    expect(record.error).to.include('misc/b (1.2.0 or later)').and.not.include('misc/a');
    expect(
      (await completed(jobs, (await jobs.start(jobRequest({ needs: ['misc/a@1.0.0'] }))).jobId)).status,
      'others go on',
    ).to.equal('succeeded');
  });

  if (kind === 'mongodb')
    describe('that share a store', () => {
      it('each run the jobs they can run, however many others wait in front', async () => {
        const abilities = { 'misc/a': '1.0.0', 'misc/b': '1.0.0', 'misc/c': '2.0.0' };
        const web = await node(says('web'), {}, { cluster: cluster(abilities, () => abilities, false) });
        const needs = [
          ...Array.from({ length: 6 }, () => 'misc/b@1.0.0'),
          'misc/a@1.0.0',
          'misc/c@2.0.0',
          'misc/c@1.9.0',
        ];
        const ids: string[] = [];
        for (const need of needs) ids.push((await web.start(jobRequest({ needs: [need] }))).jobId);
        const one = await node(
          says('one'),
          {},
          { cluster: cluster({ 'misc/a': '1.1.0', 'misc/c': '1.9.5' }, () => abilities) },
        );
        expect((await completed(one, ids[6] ?? '')).result).to.equal('one');
        expect((await completed(one, ids[8] ?? '')).result).to.equal('one');
        expect((await one.get(ids[0] ?? ''))?.status).to.equal('queued');
        expect((await one.get(ids[7] ?? ''))?.status, 'another major version').to.equal('queued');
        await node(says('two'), {}, { cluster: cluster({ 'misc/b': '1.0.0', 'misc/c': '2.0.0' }, () => abilities) });
        for (const id of [...ids.slice(0, 6), ids[7] ?? '']) expect((await completed(web, id)).result).to.equal('two');
        for (const id of ids) expect((await web.get(id))?.attempts).to.equal(1);
      });

      it('notes in the record what it waits for, and runs when a node has it', async () => {
        let everywhere: Record<string, string> = {};
        const web = await node(says('web'), {}, { cluster: cluster({}, () => everywhere, false) });
        const { jobId } = await web.start(jobRequest({ needs: ['misc/b@1.0.0'] }));
        const noted = await until(async () => ((await web.get(jobId))?.notes.length ? web.get(jobId) : undefined));
        expect(noted).to.include({ status: 'queued', complete: false });
        expect(noted?.notes).to.deep.equal(['Waiting for a node that has misc/b (1.0.0 or later).']);
        everywhere = { 'misc/b': '1.0.0' };
        await until(async () => ((await web.get(jobId))?.notes.length === 0 ? true : undefined));
        await node(says('late'), {}, { cluster: cluster(everywhere, () => everywhere) });
        expect(await completed(web, jobId)).to.deep.include({ status: 'succeeded', result: 'late', notes: [] });
      });

      it('stops a job that is cancelled on another node within two seconds', async () => {
        let stoppedAt = 0;
        const worker: JobExecutor = (_job, { signal }) =>
          untilAborted(signal).finally(() => {
            stoppedAt = performance.now();
          });
        const slowPulse = { lockLifetimeMs: 30_000, touchMs: 10_000, pollMs: 200, abortGraceMs: 300 };
        await node(worker, {}, { timing: slowPulse, cluster: cluster({}, () => ({})) });
        const web = await node(says('web'), {}, { timing: slowPulse, cluster: cluster({}, () => ({}), false) });
        const { jobId } = await web.start(jobRequest());
        await until(async () => ((await web.get(jobId))?.status === 'running' ? true : undefined));
        const asked = performance.now();
        expect(await web.cancel(jobId)).to.deep.equal({ wasQueued: false, queuePosition: 'n/a' });
        await until(() => (stoppedAt > 0 ? true : undefined));
        expect(stoppedAt - asked).to.be.lessThan(2000);
        expect(await web.get(jobId)).to.include({ status: 'cancelled', complete: true });
        await until(async () =>
          (await on.store.records('job_cancels', { keys: ['atMs'] }).count()) === 0 ? true : undefined,
        );
      });

      it('shows progress and completion on every node', async () => {
        const door = gate();
        await node(
          async (_job, { progress }) => {
            progress(1, 2);
            await door.opened;
            return { files: [], json: 'made' };
          },
          {},
          { cluster: cluster({}, () => ({})) },
        );
        const web = await node(says('web'), {}, { cluster: cluster({}, () => ({}), false) });
        const { jobId } = await web.start(jobRequest());
        const seen: number[] = [];
        for await (const wire of web.events(jobId)) {
          seen.push(wire.progress);
          if (wire.progress === 50) door.open();
        }
        expect(seen).to.include(50);
        expect(seen.at(-1)).to.equal(100);
      });

      it('neither breaks nor loses a lock when the clocks of two nodes differ by five minutes', async function () {
        this.timeout(30_000);
        const door = gate();
        const starts: string[] = [];
        const work =
          (name: string): JobExecutor =>
          async () => {
            starts.push(name);
            await door.opened;
            return { files: [], json: name };
          };
        const first = await node(work('first'), {}, { cluster: cluster({}, () => ({})) });
        const { jobId } = await first.start(jobRequest());
        await until(() => (starts.length > 0 ? true : undefined));
        try {
          // Both nodes run in this process, so each takes its turn with the wrong clock; the store's own clock stays
          // right.
          shiftClock(5 * 60_000);
          const ahead = await node(work('ahead'), {}, { cluster: cluster({}, () => ({})) });
          await delay(2500);
          expect(starts, 'longer than the lifetime of a lock, but the first node is running').to.deep.equal(['first']);
          shiftClock(-5 * 60_000);
          await delay(2000);
          expect(starts).to.deep.equal(['first']);
          const second = await ahead.start(jobRequest());
          await until(() => (starts.length > 1 ? true : undefined));
          door.open();
          expect(await completed(first, jobId)).to.include({ result: 'first', attempts: 1 });
          expect((await completed(first, second.jobId)).status).to.equal('succeeded');
        } finally {
          shiftClock(0);
        }
      });

      it('is taken over when its node falls silent, and a late result of that node changes nothing', async function () {
        this.timeout(30_000);
        const door = gate();
        const silent = await node(
          async () => {
            await door.opened;
            return { files: [], json: 'late twin' };
          },
          {},
          {
            timing: { lockLifetimeMs: 1500, touchMs: 600_000, pollMs: 600_000, abortGraceMs: 60_000 },
            cluster: cluster({}, () => ({})),
          },
        );
        const { jobId } = await silent.start(jobRequest());
        await until(async () => ((await silent.get(jobId))?.status === 'running' ? true : undefined));
        const second = await node(says('second'), {}, { cluster: cluster({}, () => ({})) });
        const record: JobRecord = await completed(second, jobId);
        expect(record).to.include({ status: 'succeeded', result: 'second', attempts: 2 });
        door.open();
        await delay(500);
        expect(await second.get(jobId)).to.include({ status: 'succeeded', result: 'second', attempts: 2 });
      });
    });
});
