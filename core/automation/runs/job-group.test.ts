import { expect } from 'chai';
import { InputError } from '@quire/registry/errors';
import { automationStage, capitals } from '../../../test/suites/automation-harness.js';
import { gate, until, untilAborted } from '../../../test/suites/job-harness.js';
import { SmallFiles } from '../../../test/suites/small-files.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import type { JobExecutor } from '../../jobs/index.js';
import { OperationalError } from '@quire/registry';
import { History } from '../items/history.js';

describeStores('small files of an automation', (make) => {
  const on = automationStage(make);
  /** Names of the inputs of each job, in the order of their starts. */
  let jobs: string[][];
  const noting =
    (execute: JobExecutor = capitals): JobExecutor =>
    (job, context) => {
      jobs.push(job.inputs.map(({ name }) => name));
      return execute(job, context);
    };
  beforeEach(() => (jobs = []));

  const files = new SmallFiles(on);

  it('share jobs, and each has a run, a result and an end of its own', async () => {
    await on.add();
    const names = files.put(30);
    await on.trigger(await on.engine(noting()));
    expect(Math.max(...jobs.map(({ length }) => length))).to.equal(12);
    expect(jobs.length).to.be.at.most(8);
    expect(jobs.flat()).to.have.members(names);
    files.expectDelivered(names);
    const runs = await on.runs.list({ automationId: 'one' }, 100);
    expect(runs.map(({ state, inputs, outputs }) => [state, inputs[0], outputs[0]?.places])).to.have.deep.members(
      names.map((name) => ['completed', name, [`shelf ${name}`]]),
    );
    expect(new Set(runs.map(({ jobId, id }) => jobId ?? id)).size).to.equal(jobs.length);
    expect(on.box.files.size).to.equal(0);
  });

  it('leave no job behind once all results are delivered', async () => {
    await on.add();
    files.put(10);
    const { jobs: service, engine } = await on.engine(noting());
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    await engine.trigger(automation);
    await engine.idle();
    for (const { jobId, id } of await on.runs.list({ automationId: 'one' }, 100))
      expect(await service.get(jobId ?? id)).to.equal(undefined);
  });

  it('do not fail because of another one in their job', async () => {
    await on.add();
    const names = files.put(8);
    on.box.put('bad.pdf', 'broken');
    await on.trigger(await on.engine(noting()));
    files.expectDelivered(names);
    expect((await on.states())['bad.pdf']).to.equal('parked PDF_DAMAGED');
    expect((await on.runs.list({ automationId: 'one', state: 'failed' }, 9)).map(({ code }) => code)).to.deep.equal([
      'PDF_DAMAGED',
    ]);
  });

  it('are tried alone when their job has failed as a whole', async () => {
    await on.add();
    const names = files.put(6);
    await on.trigger(
      await on.engine(
        noting(async (job, context) => {
          if (job.each) throw new InputError('PDF_DAMAGED', { file: 'one of them' });
          return capitals(job, context);
        }),
      ),
    );
    files.expectDelivered(names);
    expect(jobs.filter(({ length }) => length === 1).flat()).to.have.members(names);
  });

  it('are tried alone after an error that may pass', async () => {
    await on.add();
    const names = files.put(5);
    const lost = new OperationalError('WORKER_LOST', {});
    let unlucky: string | undefined;
    await on.trigger(
      await on.engine(
        noting(async (job, context) => {
          const done = await capitals(job, context);
          const { facts } = done;
          if (facts?.each === undefined || unlucky !== undefined) return done;
          unlucky = job.inputs[0]?.name;
          const [first, ...rest] = facts.each;
          const failed = { ...first, files: 0, error: { code: lost.code, data: {} } };
          return { ...done, files: done.files.slice(1), facts: { ...facts, each: [failed, ...rest] } } as typeof done;
        }),
      ),
    );
    files.expectDelivered(names);
    const tries = jobs.filter((inputs) => inputs.includes(unlucky ?? ''));
    expect(tries.map(({ length }) => length > 1)).to.deep.equal([true, false]);
  });

  it('are tried alone when a node of an earlier version ran all of them together', async () => {
    await on.add();
    const names = files.put(5);
    await on.trigger(await on.engine(noting((job, context) => capitals({ ...job, each: false }, context))));
    files.expectDelivered(names);
  });

  it('go on without the one whose run is cancelled', async () => {
    await on.add();
    const names = files.put(6);
    const held = gate();
    const node = await on.engine(
      noting(async (job, context) => {
        if (job.each) await Promise.race([held.opened, untilAborted(context.signal)]);
        return capitals(job, context);
      }),
    );
    await files.begin(node);
    const run = await until(async () => {
      const found = (await on.runs.list({ automationId: 'one' }, 9)).find(({ inputs }) => inputs[0] === names[1]);
      return found?.jobId !== undefined && (await node.jobs.get(found.jobId))?.status === 'running' ? found : undefined;
    });
    const history = new History({
      items: on.items,
      runs: on.runs,
      clock: { now: () => new Date() },
      shared: false,
      jobs: async () => node.jobs,
      wake: () => undefined,
      touched: () => undefined,
    });
    await history.cancel('one', run.id);
    held.open();
    await node.engine.idle();
    const states = await on.states();
    expect(states[names[1] ?? '']).to.equal('parked CANCELLED');
    files.expectDelivered(names.filter((name) => name !== names[1]));
  });

  /** Works until the process ends. */
  const untilStopped: JobExecutor = (_job, { signal }) => untilAborted(signal);

  it('end once each when the process dies in the middle of their job', async () => {
    await on.add();
    const names = files.put(12);
    const node = await on.engine(noting(untilStopped));
    await files.begin(node);
    await until(() => (jobs.length === 2 ? true : undefined));
    await node.drop();
    const next = await on.engine();
    next.engine.wake('one');
    await until(() => (on.shelf.delivered.size === names.length ? true : undefined));
    await next.engine.idle();
    files.expectDelivered(names);
    expect(Object.values(await on.states())).to.deep.equal(names.map(() => 'delivered'));
  });

  it('are fetched while others run, and end once each when the process dies meanwhile', async () => {
    await on.add();
    const names = files.put(60);
    const node = await on.engine(noting(untilStopped));
    await files.begin(node);
    // Two jobs with twelve files each, and twelve that wait for a place.
    await until(async () =>
      (await on.items.count({ automationId: 'one', state: 'running' })) === 36 ? true : undefined,
    );
    await until(() => (jobs.length === 2 ? true : undefined));
    expect(await on.items.count({ automationId: 'one', state: 'waiting' })).to.equal(24);
    expect(await on.runs.list({ automationId: 'one' }, 100)).to.have.length(24);
    await node.drop();
    jobs = [];
    const next = await on.engine(noting());
    next.engine.wake('one');
    await until(() => (on.shelf.delivered.size === names.length ? true : undefined));
    await next.engine.idle();
    files.expectDelivered(names);
    // Those that were only fetched share jobs like all others.
    expect(jobs.filter(({ length }) => length === 1).length).to.be.at.most(2);
  });

  it('that wait for a place are given back when the server stops', async () => {
    await on.add();
    const names = files.put(60);
    const held = gate();
    const node = await on.engine(
      noting(async (job, context) => {
        await held.opened;
        return capitals(job, context);
      }),
    );
    await files.begin(node);
    await until(async () =>
      (await on.items.count({ automationId: 'one', state: 'running' })) === 36 ? true : undefined,
    );
    await until(() => (jobs.length === 2 ? true : undefined));
    // With its jobs, as a server that stops: jobs of one that goes on would end out of sight of the next one.
    const closed = node.drop();
    held.open();
    await closed;
    const next = await on.engine();
    next.engine.wake('one');
    await next.engine.idle();
    files.expectDelivered(names);
  });

  it('have jobs of their own when one is worked on at a time, or results stay with their runs', async () => {
    await on.add({ content: { concurrency: 1 } });
    await on.add({ id: 'two', content: { destinations: [] } });
    files.put(6);
    on.box.keeps = true;
    const node = await on.engine(noting());
    await on.trigger(node);
    await on.trigger(node, 'two');
    expect(jobs).to.have.length(12);
    expect(jobs.every(({ length }) => length === 1)).to.equal(true);
  });

  it('do not wait for a large one', async () => {
    await on.add();
    const names = files.put(6);
    on.box.put('large.pdf', 'x'.repeat(5 * 1024 * 1024));
    await on.trigger(await on.engine(noting()));
    expect(jobs.filter((inputs) => inputs.includes('large.pdf'))).to.deep.equal([['large.pdf']]);
    expect(on.shelf.delivered.size).to.equal(names.length + 1);
  });
});
