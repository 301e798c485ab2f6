import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry/errors';
import { automationStage, capitals, type TestEngine } from '../../../test/suites/automation-harness.js';
import { gate, jobRequest, until } from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import type { ItemRecord } from '../items/item-record.js';
import { noJob } from '../items/item-store.js';
import { endLeftRuns } from './left-runs.js';

/** Also where the process was stopped before the job had begun. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

describeStores('automations after a crash', (make) => {
  const on = automationStage(make);

  const item = async (): Promise<ItemRecord> => {
    const [found] = await on.items.find({ automationId: 'one' });
    if (found === undefined) throw new Error('no item');
    return found;
  };
  /** Ends the process while the file has this state, and returns the item as it was left. */
  const dropIn = async (node: TestEngine, state: ItemRecord['state']): Promise<ItemRecord> => {
    await until(async () => ((await item()).state === state ? true : undefined));
    await node.drop();
    const left = await item();
    expect(left.state).to.equal(state);
    return left;
  };
  const start = async (node: TestEngine): Promise<void> => {
    const automation = await on.automations.get('one');
    if (automation !== undefined) await node.engine.trigger(automation);
  };
  const expectOnce = async (): Promise<void> => {
    await until(async () => ((await item()).state === 'delivered' ? true : undefined));
    expect([...on.shelf.delivered.values()]).to.deep.equal([{ name: 'a.pdf', bytes: 'TEXT' }]);
  };

  beforeEach(async () => {
    await on.add();
    on.box.put('a.pdf', 'text');
  });

  it('run the pipeline again that was running', async () => {
    const never = gate();
    const node = await on.engine(async (job, context) => {
      await Promise.race([never.opened, aborted(context.signal)]);
      context.signal.throwIfAborted();
      return capitals(job, context);
    });
    await start(node);
    const { jobId } = await until(async () => {
      const found = await item();
      return (await node.jobs.get(found.jobId ?? ''))?.status === 'running' ? found : undefined;
    });
    const left = await dropIn(node, 'running');
    await on.engine();
    await expectOnce();
    expect((await item()).jobId, 'the same job went on').to.equal(jobId);
    expect(left.attempts).to.equal(1);
  });

  it('fetch the file again when the machine has lost what the job was given', async () => {
    const node = await on.engine(async (_job, context) => {
      await aborted(context.signal);
      return context.signal.throwIfAborted() as never;
    });
    await start(node);
    const record = await until(async () => {
      const found = await node.jobs.get((await item()).jobId ?? '');
      return found?.status === 'running' ? found : undefined;
    });
    const blobs = on.store.blobs.area('jobs');
    const blobId = record.inputs[0]?.blobId ?? '';
    const path = blobs.path(blobId);
    await dropIn(node, 'running');
    await blobs.delete(blobId);
    if (path !== undefined) await writeFile(path, 'te\0\0');
    await on.engine();
    await expectOnce();
  });

  it('start again where no place in a job was stored, and deliver once', async () => {
    const node = await on.engine();
    await start(node);
    await node.engine.idle();
    // A job is started after its id was stored; earlier versions did it the other way round.
    const done = await item();
    on.shelf.delivered.clear();
    on.box.put('a.pdf', 'text', done.changedAt);
    await node.drop();
    await on.items.changeWhen(
      done.id,
      {},
      { state: 'running', jobId: null, claim: 'dead', gone: false, deliveries: [] },
    );
    await on.engine();
    await expectOnce();
    expect((await item()).attempts).to.equal(2);
  });

  it('deliver a result that was not delivered yet', async () => {
    const opened = gate();
    on.shelf.before = async () => {
      await opened.opened;
      throw new Error('this process is dead');
    };
    const node = await on.engine();
    await start(node);
    await until(async () => ((await item()).state === 'delivering' ? true : undefined));
    const dropping = node.drop();
    opened.open();
    await dropping;
    expect((await item()).state).to.equal('delivering');
    on.shelf.before = () => undefined;
    await on.engine();
    await expectOnce();
    expect(on.box.fetched).to.equal(1);
    expect(on.box.files.size).to.equal(0);
  });

  it('deliver again with the same id and the note when the answer of the destination was lost', async () => {
    const opened = gate();
    on.shelf.after = () => opened.opened;
    const node = await on.engine();
    await start(node);
    await until(() => (on.shelf.delivered.size === 1 ? true : undefined));
    const dropping = node.drop();
    opened.open();
    await dropping;
    const left = await item();
    await on.items.changeWhen(
      left.id,
      {},
      {
        state: 'delivering',
        claim: 'dead',
        finished: false,
        gone: false,
        deliveries: left.deliveries.map((one) => ({ ...one, done: false, place: null })),
      },
    );
    expect(left.deliveries[0]?.note).to.equal('kept as a.pdf');
    on.shelf.after = () => undefined;
    await on.engine();
    await expectOnce();
  });

  it('deliver what was uploaded although the store was away while its job ran', async () => {
    const held = gate();
    const node = await on.engine(async (job, context) => {
      await held.opened;
      return capitals(job, context);
    });
    const finished = node.jobs.finished.bind(node.jobs);
    let away = true;
    node.jobs.finished = (jobId, signal) => {
      if (!away) return finished(jobId, signal);
      away = false;
      held.open();
      return Promise.reject(new OperationalError('STORE_DOWN'));
    };
    const folder = await mkdtemp(join(tmpdir(), 'quire-upload-'));
    const path = join(folder, 'a.pdf');
    await writeFile(path, 'text');
    const inputs = [{ field: 'fileInput', name: 'a.pdf', kind: 'pdf', path }];
    const { jobId } = await node.jobs.start(jobRequest({ kind: 'pipeline', inputs }));
    await rm(folder, { recursive: true });
    const upload = { automationId: 'one', key: 'upload', name: 'a.pdf', size: 4, jobId, attempts: 1 };
    await on.items.uploaded({ ...upload, foundAt: Date.now() });
    node.engine.wake('one');
    await expectOnce();
    // The caller may fetch it too.
    expect(on.shelf.linkable.size).to.equal(0);
  });

  for (const [state, outcome] of [
    ['delivered', 'completed null'],
    ['parked', 'failed PDF_DAMAGED'],
    ['waiting', 'failed RESULT_GONE'],
    ['delivering', 'running null'],
  ] as const)
    it(`end the run of a file that is ${state} and whose end was not noted`, async () => {
      const node = await on.engine();
      await on.trigger(node);
      await node.drop();
      const { id } = await item();
      const runs = () => on.runs.list({ automationId: 'one' }, 10);
      const [run] = await runs();
      // As if the process had ended between the end of the file and that of its run.
      const reason = state === 'parked' ? { code: 'PDF_DAMAGED', detail: 'It is damaged.' } : null;
      const start = state === 'waiting' ? noJob : {};
      await on.items.changeWhen(id, {}, { state, reason, ...start, since: 1, nextAt: Number.MAX_SAFE_INTEGER });
      await on.runs.change(run?.id ?? '', { state: 'running', endedAt: null });
      await endLeftRuns({ ...on, clock: { now: () => new Date() } }, 60_000);
      const [after, ...more] = await runs();
      expect([`${after?.state} ${after?.code}`, more.length]).to.deep.equal([outcome, 0]);
      expect(after?.endedAt === null).to.equal(outcome.startsWith('running'));
    });

  it('end the runs of the process before at the start, and leave those that another node may be ending', async () => {
    const node = await on.engine();
    await on.trigger(node);
    await node.drop();
    const [run] = await on.runs.list({ automationId: 'one' }, 10);
    await on.runs.change(run?.id ?? '', { state: 'running', endedAt: null });
    const state = async (): Promise<string | undefined> => (await on.runs.get(run?.id ?? ''))?.state;
    await endLeftRuns({ ...on, clock: { now: () => new Date() } }, 60_000);
    expect(await state()).to.equal('running');
    await on.engine();
    await until(async () => ((await state()) === 'completed' ? true : undefined));
  });

  it('run again when the result was removed before it was delivered', async () => {
    let calls = 0;
    on.shelf.before = () => {
      calls += 1;
      throw new Error('not now');
    };
    await on.automations.change((await on.automations.get('one')) ?? expect.fail(), {});
    const node = await on.engine();
    await start(node);
    await until(async () => ((await item()).state === 'parked' ? true : undefined));
    expect(calls).to.equal(1);
    const parked = await item();
    await node.jobs.forget(parked.jobId ?? '');
    on.shelf.before = () => undefined;
    await on.items.retry(parked, Date.now());
    node.engine.wake('one');
    await expectOnce();
    expect((await item()).attempts).to.equal(2);
  });
});

describeStores('files with the same content', (make) => {
  const on = automationStage(make);
  let node: TestEngine;

  /** Puts a second file with the content of the first into the source, and waits for its end. */
  const again = async (): Promise<void> => {
    on.box.put('b.pdf', 'same');
    await on.trigger(node);
  };
  const ended = { 'a.pdf': 'delivered', 'b.pdf': 'delivered SAME_CONTENT' };

  beforeEach(async () => {
    await on.add({ content: { once: 'content' } });
    node = await on.engine();
    on.box.put('a.pdf', 'same');
    await on.trigger(node);
  });

  for (const [when, moment] of [
    ['before', 'beforeFinish'],
    ['after', 'afterFinish'],
  ] as const)
    it(`are in the history although the process died ${when} the second was removed`, async () => {
      const [begun, opened] = [gate(), gate()];
      on.box[moment] = async () => {
        begun.open();
        await opened.opened;
        throw new Error('this process is dead');
      };
      void again();
      await begun.opened;
      const dropping = node.drop();
      opened.open();
      await dropping;
      on.box[moment] = () => undefined;
      await on.trigger(await on.engine());
      expect(await on.states()).to.deep.equal(ended);
      expect(on.shelf.names).to.deep.equal(['a.pdf']);
      expect(on.box.files.size).to.equal(0);
    });

  it('are removed by the next listing when their source was away meanwhile', async () => {
    on.box.beforeFinish = () => {
      throw new OperationalError('SOURCE_UNREACHABLE', { detail: 'it is away' });
    };
    await again();
    expect([await on.states(), on.box.files.size]).to.deep.equal([ended, 1]);
    on.box.beforeFinish = () => undefined;
    await on.trigger(node);
    expect([await on.states(), on.box.files.size]).to.deep.equal([ended, 0]);
  });
});

describeStores('automations on two nodes', (make) => {
  const on = automationStage(make);

  it('process every file once', async () => {
    await on.add({ inputs: [{ source: 'box', trigger: { type: 'arrival' } }], content: { concurrency: 3 } });
    const nodes = [await on.engine(capitals, { leases: true }), await on.engine(capitals, { leases: true })];
    for (let n = 0; n < 30; n++) on.box.put(`${n}.pdf`, `text ${n}`);
    await until(async () =>
      (await on.items.count({ automationId: 'one', state: 'delivered' })) === 30 ? true : undefined,
    );
    for (const { engine } of nodes) await engine.idle();
    expect(on.shelf.delivered.size).to.equal(30);
    expect(await on.runs.list({ automationId: 'one' }, 100)).to.have.length(30);
  });

  it('go on with the files of a node that died', async () => {
    await on.add({ inputs: [{ source: 'box', trigger: { type: 'arrival' } }] });
    const held = gate();
    on.shelf.before = () => held.opened;
    const first = await on.engine(capitals, { leases: true });
    on.box.put('a.pdf', 'text');
    await until(async () => ((await on.items.count({ state: 'delivering' })) === 1 ? true : undefined));
    const dropping = first.drop();
    on.shelf.before = () => undefined;
    const second = await on.engine(capitals, { leases: true });
    held.open();
    await dropping;
    await until(async () => ((await on.items.count({ state: 'delivered' })) === 1 ? true : undefined));
    await second.engine.idle();
    expect(on.shelf.delivered.size).to.equal(1);
  });
});
