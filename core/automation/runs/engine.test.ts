import { expect } from 'chai';
import { OperationalError } from '@quire/registry/errors';
import type { JobRecord } from '../../jobs/index.js';
import { automationStage, capitals } from '../../../test/suites/automation-harness.js';
import { gate, until, untilAborted } from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';

describeStores('automations', (make, kind) => {
  const on = automationStage(make);

  it('deliver the result of each file once, and remove the file from its source', async () => {
    await on.add();
    on.box.put('a.pdf', 'first');
    on.box.put('b.pdf', 'second');
    const node = await on.engine();
    await on.trigger(node);
    expect(JSON.stringify(Object.entries(await on.states()).sort())).to.equal(
      '[["a.pdf","delivered"],["b.pdf","delivered"]]',
    );
    expect(on.shelf.names).to.deep.equal(['a.pdf', 'b.pdf']);
    expect([...on.shelf.delivered.values()].map(({ bytes }) => bytes).sort()).to.deep.equal(['FIRST', 'SECOND']);
    expect(on.box.finished.sort()).to.deep.equal(['a.pdf', 'b.pdf']);
    await on.trigger(node);
    expect(on.shelf.delivered.size).to.equal(2);
    const runs = await on.runs.list({ automationId: 'one' }, 10);
    expect(runs.map(({ state, outputs }) => [state, outputs[0]?.places])).to.have.deep.members([
      ['completed', ['shelf a.pdf']],
      ['completed', ['shelf b.pdf']],
    ]);
    expect((await on.sources.get('box'))?.docsTotal).to.equal(2);
  });

  it('give away a file of the store that nobody else needs', async () => {
    const shelf = { id: 'shelf', type: 'shelf', options: {} };
    await on.add();
    await on.add({ id: 'two', content: { destinations: [shelf, { ...shelf, id: 'more' }] } });
    const node = await on.engine();
    on.box.put('a.pdf', 'first');
    await on.trigger(node, 'one');
    expect([...on.shelf.linkable]).to.deep.equal(kind === 'embedded' ? ['a.pdf'] : []);
    on.shelf.linkable.clear();
    on.box.put('b.pdf', 'second');
    await on.trigger(node, 'two');
    expect([on.shelf.delivered.size, on.shelf.linkable.size]).to.deep.equal([3, 0]);
  });

  it('process a file again when it has changed, or when one of its name arrives again', async () => {
    await on.add();
    const node = await on.engine();
    for (const bytes of ['one', 'two', 'two']) {
      on.box.put('a.pdf', bytes, 1000);
      await on.trigger(node);
    }
    expect([...on.shelf.delivered.values()].map(({ bytes }) => bytes)).to.deep.equal(['ONE', 'TWO', 'TWO']);
  });

  it('process the same content once where that is wanted', async () => {
    await on.add({ content: { once: 'content', concurrency: 1, order: 'name' } });
    const node = await on.engine();
    on.box.put('a.pdf', 'same');
    on.box.put('b.pdf', 'same');
    await on.trigger(node);
    on.box.put('c.pdf', 'same');
    await on.trigger(node);
    expect(on.shelf.names).to.deep.equal(['a.pdf']);
    expect(await on.states()).to.deep.equal({
      'a.pdf': 'delivered',
      'b.pdf': 'delivered SAME_CONTENT',
      'c.pdf': 'delivered SAME_CONTENT',
    });
  });

  it('park a file that fails with its reason, and process it again on request', async () => {
    await on.add();
    on.box.put('bad.pdf', 'broken');
    on.box.put('good.pdf', 'whole');
    const node = await on.engine();
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'bad.pdf': 'parked PDF_DAMAGED', 'good.pdf': 'delivered' });
    expect([...on.box.files.keys()]).to.deep.equal(['bad.pdf']);
    await on.trigger(node);
    const [parked] = await on.items.find({ automationId: 'one', state: 'parked' });
    expect(parked?.attempts).to.equal(1);
    await node.drop();
    const healed = await on.engine(async (job, context) =>
      capitals({ ...job, inputs: job.inputs.map((input) => ({ ...input, name: 'healed.pdf' })) }, context),
    );
    if (parked !== undefined) await on.items.retry(parked, Date.now());
    healed.engine.wake('one');
    await healed.engine.idle();
    expect(on.shelf.names).to.deep.equal(['good.pdf', 'healed.pdf']);
    expect(on.box.files.size).to.equal(0);
  });

  it('keep the record of the steps of a run that failed', async () => {
    await on.add();
    on.box.put('bad.pdf', 'broken');
    const turned = { index: 0, operation: 'general/rotate-pdf', ms: 3 };
    const read = (failure?: unknown) => ({
      effects: [],
      ignored: [],
      report: {},
      warnings: ['odd'],
      steps: [turned, { index: 1, operation: 'misc/flatten', ms: 1, error: { code: String(failure), detail: '' } }],
    });
    const node = await on.engine((job, context) => {
      context.facts((failure) => read((failure as { code?: string } | undefined)?.code));
      return capitals(job, context);
    });
    await on.trigger(node);
    const [run] = await on.runs.list({ automationId: 'one' }, 1);
    expect([run?.state, run?.warnings]).to.deep.equal(['failed', ['odd']]);
    expect(run?.steps?.map(({ index, error }) => [index, error?.code])).to.deep.equal([
      [0, undefined],
      [1, 'PDF_DAMAGED'],
    ]);
  });

  it('say at which step the server stopped again and again', async () => {
    await on.add({ content: { retry: { times: 0, firstMs: 1 } } });
    on.box.put('a.pdf', 'text');
    const node = await on.engine((_, { step, signal }) => {
      step(1, 'misc/flatten');
      return untilAborted(signal);
    });
    const automation = await on.automations.get('one');
    if (automation !== undefined) await node.engine.trigger(automation);
    const jobs = on.store.records<JobRecord>('jobs');
    const jobId = await until(async () => (await jobs.find({})).find(({ step }) => step?.index === 1)?.id);
    await jobs.update(jobId, { set: { attempts: 99 } });
    // As a process that is killed leaves it.
    const left = await jobs.get(jobId);
    await node.drop();
    if (left !== undefined) await jobs.put({ ...left, status: 'queued', claimId: null });
    await on.engine();
    const [run] = await until(async () => {
      const failed = await on.runs.list({ automationId: 'one', state: 'failed' }, 1);
      return failed.length === 0 ? undefined : failed;
    });
    expect(run?.steps?.map(({ index, error }) => [index, error?.code])).to.deep.equal([[1, 'WORKER_LOST']]);
  });

  it('try a destination again that cannot be reached, and park the file in the end', async () => {
    await on.add({ content: { retry: { times: 2, firstMs: 1 } } });
    on.box.put('a.pdf', 'a');
    let calls = 0;
    on.shelf.before = () => {
      calls += 1;
      throw new OperationalError('REMOTE_UNREACHABLE', { host: 'shelf', detail: 'down' });
    };
    const node = await on.engine();
    await on.trigger(node);
    await until(async () => ((await on.states())['a.pdf'] === 'parked REMOTE_UNREACHABLE' ? true : undefined));
    expect(calls).to.equal(3);
    expect(on.box.files.size).to.equal(1);
    on.shelf.before = () => undefined;
    const [parked] = await on.items.find({ automationId: 'one' });
    if (parked !== undefined) await on.items.retry(parked, Date.now());
    node.engine.wake('one');
    await until(async () => ((await on.states())['a.pdf'] === 'delivered' ? true : undefined));
    expect(on.shelf.delivered.size).to.equal(1);
    expect(on.box.fetched, 'the pipeline did not run again').to.equal(1);
  });

  it('park a file whose run was cancelled, and leave it in its source', async () => {
    await on.add();
    on.box.put('a.pdf', 'a');
    const node = await on.engine((_job, { signal }) => untilAborted(signal));
    const automation = await on.automations.get('one');
    if (automation === undefined) throw new Error('no automation');
    await node.engine.trigger(automation);
    const jobId = await until(async () => {
      const [item] = await on.items.find({ state: 'running' });
      return (await node.jobs.get(item?.jobId ?? ''))?.jobId;
    });
    await node.jobs.cancel(jobId);
    await node.engine.idle();
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'parked CANCELLED' });
    expect((await on.runs.get(jobId))?.state).to.equal('cancelled');
    expect(on.box.files.size).to.equal(1);
  });

  it('keep files waiting while the queue is full', async () => {
    await on.add({ content: { concurrency: 1 } });
    on.box.put('a.pdf', 'a');
    const node = await on.engine(capitals, { jobs: { maxQueued: 0, concurrency: 0 } });
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'waiting QUEUE_FULL' });
    await node.drop();
    const [item] = await on.items.find({});
    if (item !== undefined) await on.items.changeWhen(item.id, {}, { nextAt: 0 });
    const { engine } = await on.engine();
    engine.wake('one');
    await engine.idle();
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'delivered' });
  });

  it('keep files waiting while the source is away', async () => {
    await on.add();
    on.box.put('a.pdf', 'a');
    const node = await on.engine();
    const automation = await on.automations.get('one');
    if (automation === undefined) throw new Error('no automation');
    on.box.down = true;
    const found = await node.engine.trigger(automation);
    expect(found).to.deep.include.members([
      { sourceId: 'box', code: 'REMOTE_UNREACHABLE', detail: (await node.engine.faultsOf(automation))[0]?.detail },
    ]);
    on.box.down = false;
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'delivered' });
    expect(await node.engine.faultsOf(automation)).to.deep.equal([]);
  });

  it('take what arrives in a watched source, after its quiet time', async () => {
    await on.add({ inputs: [{ source: 'box', trigger: { type: 'arrival' } }], content: { quietMs: 30 } });
    on.box.put('a.pdf', 'before the start');
    const node = await on.engine();
    await until(() => (on.shelf.delivered.size === 1 ? true : undefined));
    on.box.put('b.pdf', 'later', Date.now());
    await until(() => (on.shelf.delivered.size === 2 ? true : undefined));
    await node.engine.idle();
    expect(on.box.watched).to.equal(1);
    const automation = await on.automations.get('one');
    if (automation !== undefined) await on.automations.change(automation, { enabled: false });
    node.engine.changed();
    await until(() => (on.box.watched === 0 ? true : undefined));
  });

  it('leave a file in the source until every automation has delivered it', async () => {
    const inputs = [{ source: 'box', trigger: { type: 'arrival' } }] as const;
    const opened = gate();
    on.box.put('a.pdf', 'a');
    on.shelf.before = () => undefined;
    await on.add({ id: 'one', inputs });
    await on.add({ id: 'two', inputs });
    let waits = true;
    const node = await on.engine(async (job, context) => {
      if (waits && job.path.includes('two')) await opened.opened;
      return capitals(job, context);
    });
    await until(async () => ((await on.states('one'))['a.pdf'] === 'delivered' ? true : undefined));
    expect(on.box.files.size).to.equal(1);
    waits = false;
    opened.open();
    await until(async () => ((await on.states('two'))['a.pdf'] === 'delivered' ? true : undefined));
    await node.engine.idle();
    expect(on.box.files.size).to.equal(0);
  });

  it('work on as many files at once as they may, in their order', async () => {
    await on.add({ content: { concurrency: 1, order: 'name' } });
    for (const name of ['c.pdf', 'a.pdf', 'b.pdf']) on.box.put(name, name);
    const seen: string[] = [];
    let [active, most] = [0, 0];
    const node = await on.engine(async (job, context) => {
      most = Math.max(most, ++active);
      seen.push(job.inputs[0]?.name ?? '');
      const outcome = await capitals(job, context);
      active -= 1;
      return outcome;
    });
    await on.trigger(node);
    expect(seen).to.deep.equal(['a.pdf', 'b.pdf', 'c.pdf']);
    expect(most).to.equal(1);
  });

  it('take only files that pass the filters', async () => {
    await on.add({
      content: { filters: { names: ['inv*.pdf'], kinds: ['pdf'], minBytes: 2, maxBytes: 5 } },
    });
    for (const [name, bytes] of [
      ['invoice.pdf', 'abc'],
      ['INV-2.PDF', 'abcd'],
      ['invoice.txt', 'abc'],
      ['other.pdf', 'abc'],
      ['inv-small.pdf', 'a'],
      ['inv-large.pdf', 'abcdef'],
    ] as const)
      on.box.put(name, bytes);
    await on.trigger(await on.engine());
    expect(on.shelf.names).to.deep.equal(['INV-2.PDF', 'invoice.pdf']);
  });

  it('never take what they have written themselves', async () => {
    await on.addSource('other', 'other', { directory: '/data/same' });
    await on.add({
      inputs: [{ source: 'other', trigger: { type: 'manual' } }],
      content: { destinations: [{ id: 'shelf', type: 'shelf', options: { directory: '/data/same' } }] },
    });
    on.box.put('a.pdf', 'text');
    on.shelf.after = (name) => on.box.put(`out-${name}`, 'TEXT');
    const node = await on.engine();
    await on.trigger(node);
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'delivered', 'out-a.pdf': 'delivered OWN_OUTPUT' });
    expect([...on.box.files.keys()], 'the result stays where it was delivered').to.deep.equal(['out-a.pdf']);
  });

  it('stop a loop that nobody could see', async () => {
    await on.add();
    on.box.put('a.pdf', 'TEXT');
    on.shelf.after = (name) => on.box.put(`x${name}`, 'TEXT');
    const node = await on.engine();
    for (let round = 0; round < 6; round++) await on.trigger(node);
    expect(Object.values(await on.states()).filter((state) => state.startsWith('parked'))).to.deep.equal([
      'parked AUTOMATION_LOOP',
    ]);
    expect(on.shelf.delivered.size).to.equal(4);
  });
});
