import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import {
  completed,
  gate,
  jobRequest,
  jobServices,
  testJobService,
  until,
  untilAborted,
} from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import type { JobExecutor, JobService, JobSettings } from '../index.js';

describeStores('jobs whose role limits how many run at once', (make, kind) => {
  const on = jobServices(make);

  const limits = new Map<string, number>();
  const settings: Partial<JobSettings> = {
    concurrency: 4,
    atOnce: {
      inUse: () => limits.size > 0,
      of: ({ id }) => {
        const limit = limits.get(id);
        return limit === undefined ? undefined : { limit, role: 'ROLE_DESK', title: 'Front desk' };
      },
    },
  };
  beforeEach(() => {
    limits.clear();
    limits.set('ann', 1);
  });

  const start = async (jobs: JobService, owner: string, name: string): Promise<string> => {
    const caller = { id: owner, name: owner, role: 'user', via: 'key' } as const;
    return (await jobs.start(jobRequest({ owner, caller, params: { name } }))).jobId;
  };

  /** Counts how many jobs of each owner run at once. */
  const watched = () => {
    const ran: string[] = [];
    const most = new Map<string, number>();
    const now = new Map<string, number>();
    const execute: JobExecutor = async ({ params, caller }) => {
      const owner = caller?.id ?? '';
      ran.push(String(params['name']));
      now.set(owner, (now.get(owner) ?? 0) + 1);
      most.set(owner, Math.max(most.get(owner) ?? 0, now.get(owner) ?? 0));
      await delay(60);
      now.set(owner, (now.get(owner) ?? 0) - 1);
      return { files: [] };
    };
    return { ran, most, execute };
  };

  it('wait in their order while those of other owners run', async function () {
    this.timeout(30_000);
    const { ran, most, execute } = watched();
    const jobs = await on.open(execute, settings);
    const names = Array.from({ length: 8 }, (_, i) => `a${i}`);
    const ids: string[] = [];
    for (const name of names) ids.push(await start(jobs, 'ann', name));
    for (const name of ['b0', 'b1', 'b2']) ids.push(await start(jobs, 'bob', name));
    for (const id of ids) expect((await completed(jobs, id)).status).to.equal('succeeded');
    expect(ran.filter((name) => name.startsWith('a'))).to.deep.equal(names);
    expect(most.get('ann')).to.equal(1);
    expect(most.get('bob')).to.be.greaterThan(1);
    expect(ran.indexOf('b2'), ran.join()).to.be.lessThan(ran.indexOf('a5'));
  });

  it('are as many as the limit says', async () => {
    limits.set('ann', 2);
    const { most, execute } = watched();
    const jobs = await on.open(execute, settings);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await start(jobs, 'ann', `a${i}`));
    for (const id of ids) await completed(jobs, id);
    expect(most.get('ann')).to.equal(2);
  });

  it('say why they wait, and no longer when they run', async () => {
    const first = gate();
    const jobs = await on.open(async ({ params }) => {
      if (params['name'] === 'a0') await first.opened;
      return { files: [] };
    }, settings);
    const running = await start(jobs, 'ann', 'a0');
    await until(async () => ((await jobs.get(running))?.status === 'running' ? true : undefined));
    const waiting = await start(jobs, 'ann', 'a1');
    const record = await jobs.get(waiting);
    expect(record).to.include({ status: 'queued', queuePosition: 0 });
    expect(record?.notes.join()).to.include('Front desk').and.include('ROLE_DESK').and.include('one job run at once');
    first.open();
    expect((await completed(jobs, waiting)).notes).to.deep.equal([]);
  });

  it('free their place however they end', async () => {
    const jobs = await on.open(async ({ params }, { signal }) => {
      if (params['name'] === 'fails') throw new Error('a defect');
      if (params['name'] === 'stays') await untilAborted(signal);
      return { files: [] };
    }, settings);
    const failing = await start(jobs, 'ann', 'fails');
    const staying = await start(jobs, 'ann', 'stays');
    const last = await start(jobs, 'ann', 'last');
    expect((await completed(jobs, failing)).status).to.equal('failed');
    await until(async () => ((await jobs.get(staying))?.status === 'running' ? true : undefined));
    await jobs.cancel(staying);
    expect((await completed(jobs, last)).status).to.equal('succeeded');
    expect((await jobs.get(last))?.place ?? null).to.equal(null);
  });

  it('have their place again after a crash, and leave none behind', async function () {
    this.timeout(30_000);
    // A node that dies: it neither ends its jobs nor renews its lock.
    const dead = testJobService(on.store, () => new Promise(() => undefined), settings, {
      timing: { lockLifetimeMs: 1500, touchMs: 3_600_000, pollMs: 200, abortGraceMs: 10 },
    });
    await dead.recover();
    const first = await start(dead, 'ann', 'a0');
    const second = await start(dead, 'ann', 'a1');
    await until(async () => ((await dead.get(first))?.place === 'ann 1' ? true : undefined));
    expect((await dead.get(second))?.status).to.equal('queued');
    const { ran, most, execute } = watched();
    const jobs = await on.open(execute, settings);
    expect((await completed(jobs, first)).status).to.equal('succeeded');
    expect((await completed(jobs, second)).status).to.equal('succeeded');
    expect(ran).to.deep.equal(['a0', 'a1']);
    expect(most.get('ann')).to.equal(1);
    await dead.close();
  });

  it('all run at once when the limit is taken back', async () => {
    const all = gate();
    const jobs = await on.open(async () => {
      await all.opened;
      return { files: [] };
    }, settings);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await start(jobs, 'ann', `a${i}`));
    await until(async () => ((await jobs.get(ids[0] ?? ''))?.status === 'running' ? true : undefined));
    limits.clear();
    const running = async (): Promise<true | undefined> =>
      (await jobs.states()).byState.running === 3 ? true : undefined;
    await until(running);
    all.open();
    for (const id of ids) await completed(jobs, id);
  });

  if (kind === 'mongodb')
    it('are counted on all nodes together', async function () {
      this.timeout(30_000);
      const { ran, most, execute } = watched();
      const nodes = [await on.open(execute, settings), await on.open(execute, settings)];
      const ids: string[] = [];
      for (let i = 0; i < 12; i++) ids.push(await start(nodes[i % 2] as JobService, 'ann', `a${i}`));
      for (const id of ids) await completed(nodes[0] as JobService, id);
      expect(most.get('ann')).to.equal(1);
      expect(new Set(ran).size).to.equal(12);
    });
});
