import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { OperationalError } from '@quire/registry/errors';
import { automationStage, capitals } from '../../../test/suites/automation-harness.js';
import { gate, testJobService, until, untilAborted } from '../../../test/suites/job-harness.js';
import { SmallFiles } from '../../../test/suites/small-files.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import type { JobExecutor, JobService } from '../../jobs/index.js';
import { History } from '../items/history.js';
import type { ItemRecord } from '../items/item-record.js';
import type { ItemChange } from '../items/item-store.js';

describeStores('files of an automation that share a job', (make) => {
  const on = automationStage(make);
  const files = new SmallFiles(on);
  /** Names of the inputs of each job that was run, in the order of their starts. */
  let jobs: string[][];
  beforeEach(() => (jobs = []));
  const noting: JobExecutor = (job, context) => {
    jobs.push(job.inputs.map(({ name }) => name));
    return capitals(job, context);
  };
  /** Runs until its process ends. */
  const endless: JobExecutor = (job, context) => {
    jobs.push(job.inputs.map(({ name }) => name));
    return untilAborted(context.signal);
  };
  const items = (): Promise<ItemRecord[]> => on.items.find({ automationId: 'one' });
  const allDelivered = (names: readonly string[]): Promise<true> =>
    until(async () => {
      const states = Object.values(await on.states());
      return states.length === names.length && states.every((state) => state === 'delivered') ? true : undefined;
    });
  const expectNoJobs = async (service: JobService): Promise<void> => {
    for (const { jobId, id } of await on.runs.list({ automationId: 'one' }, 100))
      expect(await service.get(jobId ?? id)).to.equal(undefined);
  };
  /** Resolves when both jobs run that an automation may have; some files wait for a place in the next one. */
  const bothRun = (): Promise<true> =>
    until(async () => {
      const runs = await on.runs.list({ automationId: 'one', state: 'running' }, 100);
      return jobs.length === 2 && runs.length === jobs.flat().length ? true : undefined;
    });
  /** Ends a process while two jobs run. */
  const dieWhileRunning = async (): Promise<void> => {
    const node = await on.engine(endless);
    await bothRun();
    await node.drop();
  };
  /** Ends a process while every file is being delivered; `before`: done before that. */
  const dieDelivering = async (before?: (service: JobService) => Promise<void>): Promise<void> => {
    const opened = gate();
    on.shelf.before = async () => {
      await opened.opened;
      throw new Error('this process is dead');
    };
    const node = await on.engine(noting);
    await until(async () => ((await items()).every(({ state }) => state === 'delivering') ? true : undefined));
    await before?.(node.jobs);
    const dropping = node.drop();
    opened.open();
    await dropping;
    on.shelf.before = () => undefined;
  };
  const history = (service: JobService): History =>
    new History({
      items: on.items,
      runs: on.runs,
      clock: { now: () => new Date() },
      shared: false,
      jobs: async () => service,
      wake: () => undefined,
      touched: () => undefined,
    });
  /** Cancels the runs of these files while no engine runs. */
  const cancelRunsOf = async (names: readonly string[]): Promise<void> => {
    const service = testJobService(on.store, capitals);
    for (const { id, inputs } of await on.runs.list({ automationId: 'one' }, 100))
      if (names.includes(inputs[0] ?? '')) await history(service).cancel('one', id);
    await service.close();
  };

  it('are run once although their first deliveries fail, and leave no job behind', async () => {
    await on.add();
    const names = await files.putListed(8);
    const failed = new Set<string>();
    on.shelf.before = (name) => {
      if (failed.has(name)) return;
      failed.add(name);
      throw new OperationalError('REMOTE_UNREACHABLE', { host: 'shelf', detail: 'down' });
    };
    const node = await on.engine(noting);
    await allDelivered(names);
    await node.engine.idle();
    files.expectDelivered(names);
    expect(jobs.flat().sort()).to.deep.equal(names);
    await expectNoJobs(node.jobs);
  });

  it('keep the result of one that is parked, until it is delivered after all', async () => {
    await on.add({ content: { retry: { times: 0, firstMs: 100 } } });
    const names = await files.putListed(8);
    let away = true;
    on.shelf.before = (name) => {
      if (away && name === names[3])
        throw new OperationalError('REMOTE_UNREACHABLE', { host: 'shelf', detail: 'down' });
    };
    const node = await on.engine(noting);
    await node.engine.idle();
    expect((await on.states())[names[3] ?? '']).to.match(/^parked/);
    away = false;
    await history(node.jobs).retry('one');
    node.engine.wake('one');
    await allDelivered(names);
    await node.engine.idle();
    expect(jobs.flat().sort()).to.deep.equal(names);
    await expectNoJobs(node.jobs);
  });

  it('are delivered from their job after a crash during the deliveries', async () => {
    await on.add();
    const names = await files.putListed(12);
    await dieDelivering();
    const next = await on.engine(noting);
    await allDelivered(names);
    await next.engine.idle();
    files.expectDelivered(names);
    expect(jobs.flat().sort(), 'the pipeline is not run again').to.deep.equal(names);
    await expectNoJobs(next.jobs);
  });

  it('are run again when their job was removed during the deliveries', async () => {
    await on.add();
    const names = await files.putListed(6);
    await dieDelivering(async (service) => {
      for (const { jobId } of await items()) await service.forget(jobId ?? '');
    });
    await on.engine(noting);
    await allDelivered(names);
    files.expectDelivered(names);
    expect((await items()).map(({ attempts }) => attempts)).to.deep.equal(names.map(() => 2));
  });

  it('go on without those whose runs were cancelled, also after a crash', async () => {
    await on.add();
    const names = await files.putListed(12);
    await dieWhileRunning();
    const cancelled = names.slice(1, 3);
    await cancelRunsOf(cancelled);
    const node = await on.engine();
    await until(async () => {
      const states = Object.values(await on.states());
      return states.every((state) => /^(delivered|parked)/.test(state)) ? true : undefined;
    });
    await node.engine.idle();
    const states = await on.states();
    expect(cancelled.map((name) => states[name])).to.deep.equal(cancelled.map(() => 'parked CANCELLED'));
    files.expectDelivered(names.filter((name) => !cancelled.includes(name)));
  });

  it('cannot be cancelled once it was decided that they are run again', async () => {
    await on.add();
    await files.putListed(6);
    await dieWhileRunning();
    const [first] = await on.runs.list({ automationId: 'one', state: 'running' }, 1);
    expect(await on.runs.failUncancelled(first?.id ?? '', 1)).to.equal(true);
    expect(await on.runs.cancel(first?.id ?? '')).to.equal(false);
  });

  it('start again when the process died between the note of their places and the start of the job', async () => {
    await on.add();
    const names = await files.putListed(6);
    await dieWhileRunning();
    const service = testJobService(on.store, capitals);
    for (const { jobId } of await items()) {
      await service.cancel(jobId ?? '').catch(() => undefined);
      await service.forget(jobId ?? '');
    }
    await service.close();
    await on.runs.removeAll('one');
    const { engine } = await on.engine();
    await allDelivered(names);
    await engine.idle();
    files.expectDelivered(names);
    const runs = await on.runs.list({ automationId: 'one' }, 100);
    expect(
      runs.map(({ state }) => state),
      'no run of a job that never was',
    ).to.deep.equal(names.map(() => 'completed'));
  });

  it('are not run again because the store was away while their job ran', async () => {
    await on.add();
    const names = files.put(8);
    const node = await on.engine(noting);
    const finished = node.jobs.finished.bind(node.jobs);
    let away = 3;
    node.jobs.finished = (jobId, signal) => {
      away -= 1;
      return away < 0 ? finished(jobId, signal) : Promise.reject(new OperationalError('STORE_DOWN'));
    };
    await files.begin(node);
    await allDelivered(names);
    await node.engine.idle();
    expect(jobs.flat().sort()).to.deep.equal(names);
    expect((await items()).map(({ attempts }) => attempts)).to.deep.equal(names.map(() => 1));
  });

  for (const lost of ['one of them', 'all of them'] as const)
    it(`end once each when another node claims ${lost} before the start of the job`, async () => {
      await on.add();
      const names = await files.putListed(5);
      const change = on.items.change.bind(on.items);
      const taken = new Set<string>();
      on.items.change = async (item: ItemRecord, set: ItemChange) => {
        const settles = set.part !== undefined && set.part !== null;
        if (settles && !taken.has(item.id) && (lost === 'all of them' || taken.size === 0)) {
          taken.add(item.id);
          await on.items.changeWhen(item.id, {}, { claim: 'another node' });
        }
        return change(item, set);
      };
      const node = await on.engine(noting);
      await allDelivered(names);
      await node.engine.idle();
      files.expectDelivered(names);
      if (lost === 'one of them') expect(taken.size).to.equal(1);
      else expect(taken.size).to.be.greaterThan(2);
    });

  it('are not delivered when the automation is deleted while their job runs', async () => {
    await on.add();
    await files.putListed(6);
    const held = gate();
    const node = await on.engine(async (job, context) => {
      jobs.push(job.inputs.map(({ name }) => name));
      await held.opened;
      return capitals(job, context);
    });
    await bothRun();
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    await on.automations.remove('one');
    await node.engine.forget(automation);
    held.open();
    await node.engine.idle();
    expect([await items(), await on.runs.list({ automationId: 'one' }, 9), on.shelf.names]).to.deep.equal([[], [], []]);
  });

  it('are delivered although the automation is switched off while their job runs', async () => {
    await on.add();
    const names = await files.putListed(6);
    const held = gate();
    const node = await on.engine(async (job, context) => {
      jobs.push(job.inputs.map(({ name }) => name));
      await held.opened;
      return capitals(job, context);
    });
    await bothRun();
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    await on.automations.change(automation, { enabled: false });
    node.engine.changed();
    held.open();
    await node.engine.idle();
    files.expectDelivered(names);
  });

  it('count as running after a crash, so that no more jobs run than the automation allows', async () => {
    await on.add({ content: { concurrency: 2 } });
    const large = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf'];
    for (const name of large) on.box.put(name, name.repeat(1024 * 1024));
    let running = 0;
    let most = 0;
    const slow: JobExecutor = async (job, context) => {
      running += 1;
      most = Math.max(most, running);
      try {
        await pause(100, undefined, { signal: context.signal });
        return await capitals(job, context);
      } finally {
        running -= 1;
      }
    };
    const node = await on.engine(slow);
    await files.begin(node);
    await until(() => (running === 2 ? true : undefined));
    await node.drop();
    await on.engine(slow);
    await allDelivered(large);
    expect(most).to.equal(2);
  });
});
