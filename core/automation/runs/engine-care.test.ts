import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { OperationalError } from '@quire/registry/errors';
import { automationStage, capitals } from '../../../test/suites/automation-harness.js';
import { until } from '../../../test/suites/job-harness.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import { invalid } from '../connectors/faults.js';
import { idOf } from '../connectors/note.js';
import { deliveryIdOf, type ItemRecord } from '../items/item-record.js';
import { endOf } from './item-ends.js';
import { sweepDestinations } from './sweep-destinations.js';

const DAY_MS = 86_400_000;
const arrival = { type: 'arrival' } as const;

describeStores('automations, over time and for others', (make) => {
  const on = automationStage(make);
  const away = (): never => {
    throw new OperationalError('REMOTE_UNREACHABLE', { host: 'shelf', detail: 'down' });
  };
  const only = async (): Promise<ItemRecord> => (await on.items.find({}))[0] ?? expect.fail('there is no file');

  it('keep a result until it is delivered, however soon results expire', async () => {
    await on.add({ content: { retry: { times: 20, firstMs: 60_000 } } });
    on.box.put('a.pdf', 'a');
    on.shelf.before = away;
    const node = await on.engine(capitals, { jobs: { resultExpiryMinutes: 1 } });
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'delivering REMOTE_UNREACHABLE' });
    await node.jobs.cleanup(new Date(Date.now() + 2 * 3_600_000));
    on.shelf.before = () => undefined;
    await on.items.changeWhen((await only()).id, {}, { nextAt: 0 });
    node.engine.wake('one');
    await until(async () => ((await on.states())['a.pdf'] === 'delivered' ? true : undefined));
    expect([on.box.fetched, on.shelf.delivered.size]).to.deep.equal([1, 1]);
  });

  it('let a file wait no longer than any pause when the clock was set back', async () => {
    await on.add({ content: { retry: { times: 5, firstMs: 60_000 } } });
    on.box.put('a.pdf', 'a');
    on.shelf.before = away;
    let ahead = 40 * DAY_MS;
    on.now = () => new Date(Date.now() + ahead);
    const node = await on.engine();
    await on.trigger(node);
    expect(await on.states()).to.deep.equal({ 'a.pdf': 'delivering REMOTE_UNREACHABLE' });
    ahead = 0;
    on.shelf.before = () => undefined;
    node.engine.wake('one');
    await until(async () => ((await on.states())['a.pdf'] === 'delivered' ? true : undefined));
  });

  it('take what was sent to a node that runs no jobs', async () => {
    on.box.byCalls = true;
    await on.add({ inputs: [{ source: 'box', trigger: arrival }] });
    const { engine } = await on.engine(capitals, { leases: true, runsHere: false });
    on.box.put('a.pdf', 'a');
    await until(() => (on.shelf.delivered.size === 1 ? true : undefined));
    await engine.idle();
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    await on.automations.change(automation, { enabled: false });
    on.box.put('b.pdf', 'b');
    await engine.idle();
    expect(on.shelf.names).to.deep.equal(['a.pdf']);
    await engine.close();
    expect(on.box.watched).to.equal(0);
  });

  it('list a source whose reports never pause', async () => {
    await on.add({ inputs: [{ source: 'box', trigger: arrival }] });
    const { engine } = await on.engine(capitals, { watchQuietMs: 50 });
    await until(() => (on.box.listings === 1 ? true : undefined));
    await engine.idle();
    const reports = setInterval(() => on.box.report(), 1);
    try {
      on.box.put('a.pdf', 'a');
      await until(() => (on.shelf.delivered.size === 1 ? true : undefined));
    } finally {
      clearInterval(reports);
    }
  });

  it('leave a source that takes long to list alone for a while, and miss nothing', async () => {
    on.box.keeps = true;
    on.box.listingMs = 60;
    await on.add({ inputs: [{ source: 'box', trigger: arrival }] });
    const { engine } = await on.engine();
    await until(() => (on.box.listings === 1 ? true : undefined));
    await engine.idle();
    const begun = performance.now();
    for (let number = 1; number <= 40; number++) {
      on.box.put(`${number}.pdf`, 'a');
      await delay(20);
    }
    await until(() => (on.shelf.delivered.size === 40 ? true : undefined));
    // A listing of 60 ms, and a rest of four times that; those after deliveries rest by themselves.
    const most = 2 * Math.ceil((performance.now() - begun) / 300) + 2;
    expect(on.box.listings).to.be.at.most(most);
  });

  it('let a file wait whose source rejects the login', () => {
    const rejected = invalid('SOURCE', 'password', 'or "username" was rejected by mail.test');
    const end = endOf({ state: 'running', failures: 9 }, rejected, { times: 0, firstMs: 5 }, Date.now());
    expect(end).to.deep.include({ state: 'waiting' });
    expect(end.reason?.code).to.equal('SOURCE_INVALID');
  });

  it('let a file wait while the disk is full', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const end = endOf({ state: 'running', failures: 9 }, full, { times: 0, firstMs: 5 }, Date.now());
    expect(end).to.deep.include({ state: 'waiting' });
    expect(end.reason?.code).to.equal('STORAGE_FULL');
  });

  it('say that their owner is gone, and let files wait', async () => {
    await on.add({ ownerId: 'ann' });
    on.box.put('a.pdf', 'a');
    const node = await on.engine();
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    expect(await node.engine.faultsOf(automation)).to.deep.equal([]);
    await node.engine.trigger(automation);
    on.gone.add('ann');
    await node.engine.idle();
    const [fault] = await node.engine.faultsOf(automation);
    expect(fault).to.deep.include({ sourceId: null, code: 'ACCOUNT_DISABLED' });
    expect(fault?.detail).to.contain('has to save it');
    on.box.put('b.pdf', 'b');
    const found = await node.engine.trigger(automation);
    expect(found).to.deep.equal([{ sourceId: 'box', code: 'ACCOUNT_DISABLED', detail: fault?.detail }]);
    on.gone.clear();
    for (const { id, state } of await on.items.find({}))
      if (state !== 'delivered') await on.items.changeWhen(id, {}, { nextAt: 0 });
    await on.trigger(node);
    expect(on.shelf.names).to.deep.equal(['a.pdf', 'b.pdf']);
    expect(await node.engine.faultsOf(automation)).to.deep.equal([]);
  });

  const sweepNow = (): Promise<void> =>
    sweepDestinations({
      ...on,
      clock: { now: () => on.now?.() ?? new Date() },
      kinds: { sources: new Map(), destinations: new Map([['shelf', on.shelf.kind()]]), unknown: () => '' },
      log: { info: () => undefined },
    });

  it('remove what is left at a destination that no automation has any more, and then forget it', async () => {
    const left = { id: 'old', type: 'shelf', options: { directory: '/old', secret: 'hidden' } };
    await on.add({ content: { destinations: [{ id: 'shelf', type: 'shelf', options: { directory: '/new' } }] } });
    const node = await on.engine();
    let ahead = 0;
    on.now = () => new Date(Date.now() + ahead);
    await node.engine.left([left, { ...left, id: 'mail', type: 'unknown' }]);
    const kept = async (): Promise<unknown[]> => (await on.left.all()).map(({ options }) => options);
    expect(await kept()).to.deep.equal([left.options]);
    on.shelf.swept.length = 0;
    await sweepNow();
    expect(on.shelf.swept).to.deep.equal([{ directory: '/new' }, left.options]);
    expect(on.shelf.abandoned?.('a-part', 2 * DAY_MS)).to.equal(true);
    // A clock that is set back only keeps it longer.
    ahead = -10 * DAY_MS;
    await sweepNow();
    expect(await kept()).to.have.length(1);
    on.shelf.unreachable = true;
    ahead = 3 * DAY_MS;
    await sweepNow();
    expect(await kept(), 'it could not be swept').to.have.length(1);
    on.shelf.unreachable = false;
    await sweepNow();
    expect(await kept()).to.deep.equal([]);
  });

  it('forget a destination that was left when an automation has it again', async () => {
    await on.add();
    const node = await on.engine();
    await node.engine.left([{ id: 'shelf', type: 'shelf', options: {} }]);
    await sweepNow();
    expect(await on.left.all()).to.deep.equal([]);
  });

  it('give up what is left of a delivery only when nobody goes on with it', async () => {
    await on.add({ content: { retry: { times: 20, firstMs: 60_000 } } });
    on.box.put('a.pdf', 'a');
    on.shelf.after = away;
    const node = await on.engine();
    await on.trigger(node);
    const item = await only();
    const name = idOf({ id: deliveryIdOf(item, 'shelf', 0) });
    const abandoned = async (of: string, ageMs: number): Promise<boolean | undefined> => {
      await sweepNow();
      return on.shelf.abandoned?.(of, ageMs);
    };
    expect(await abandoned(name, 2 * DAY_MS), 'it is tried again').to.equal(false);
    expect(await abandoned('of-somebody-else', 3_600_000)).to.equal(false);
    expect(await abandoned('of-somebody-else', 2 * DAY_MS)).to.equal(true);
    const automation = (await on.automations.get('one')) ?? expect.fail('there is no automation');
    await on.automations.remove('one');
    await node.engine.forget(automation);
    expect(on.shelf.abandoned?.(name, 0)).to.equal(true);
    expect(on.shelf.abandoned?.('of-somebody-else', 2 * DAY_MS)).to.equal(false);
  });

  it('do not let one owner with many files keep another one waiting', async () => {
    await on.addSource('other', 'other');
    await on.add({ id: 'many', ownerId: 'ann', content: { concurrency: 64 } });
    await on.add({ id: 'few', ownerId: 'bob', inputs: [{ source: 'other', trigger: { type: 'manual' } }] });
    for (let n = 0; n < 100; n++) on.box.put(`ann-${n}.pdf`, `text ${n}`);
    const order: string[] = [];
    const node = await on.engine(
      async (job, context) => {
        order.push(job.inputs[0]?.name ?? '');
        return capitals(job, context);
      },
      { jobs: { concurrency: 1 } },
    );
    const [many, few] = [await on.automations.get('many'), await on.automations.get('few')];
    if (many === undefined || few === undefined) throw new Error('there are no automations');
    await node.engine.trigger(many);
    await until(() => (order.length > 0 ? true : undefined));
    on.box.files.clear();
    on.box.put('bob.pdf', 'a single file');
    const before = order.length;
    await node.engine.trigger(few);
    await until(() => (order.includes('bob.pdf') ? true : undefined));
    // Those that had their turn already, and not the others of the first owner.
    expect(order.indexOf('bob.pdf')).to.be.below(before + 20);
  });
});
