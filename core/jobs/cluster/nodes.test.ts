import { noBackplane } from '../backplane/index.js';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog, until } from '../../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import {
  ClusterNodes,
  Leases,
  SteadyClock,
  type AbilitiesRecord,
  type LeaseRecord,
  type NodeRecord,
  type NodesDeps,
} from './index.js';

describeStores('nodes and leases', (make) => {
  let home: TemporaryStore;
  let store: Store;
  const nodes: ClusterNodes[] = [];
  const node = async (id: string, more: Partial<NodesDeps> = {}): Promise<ClusterNodes> => {
    const made = new ClusterNodes({
      records: store.records<NodeRecord>('nodes', { keys: ['seenAtMs'] }),
      abilities: store.records<AbilitiesRecord>('node_abilities', { keys: ['usedAtMs'] }),
      log: silentLog,
      clock: new SteadyClock(),
      serverTime: () => store.serverTime(),
      id,
      role: { name: 'both', serves: true, runsJobs: true },
      version: '1.0.0',
      heartbeatMs: 100,
      shared: true,
      backplane: noBackplane,
      programs: () => ['qpdf'],
      operations: () => new Map([['misc/a', '1.0.0']]),
      load: () => ({ busyWorkers: 1, workers: 2, memoryBytes: 3 }),
      ...more,
    });
    nodes.push(made);
    await made.start();
    return made;
  };
  beforeEach(async () => {
    home = await make();
    store = await home.open();
  });
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((one) => one.close()));
    await store.close();
    await home.remove();
  });

  it('list each other with role and programs until they stop', async () => {
    const one = await node('n1');
    const two = await node('', {
      address: 'http://10.0.0.5:8080',
      role: { name: 'worker', serves: false, runsJobs: true },
      operations: () => new Map([['misc/b', '2.1.0']]),
    });
    const list = await one.list();
    expect(list.map(({ address }) => address)).to.have.members([undefined, 'http://10.0.0.5:8080']);
    expect(list.map(({ id, role, here }) => [id, role, here])).to.have.deep.members([
      ['n1', 'both', true],
      [two.id, 'worker', false],
    ]);
    expect(list.find(({ here }) => here)).to.deep.include({
      version: '1.0.0',
      programs: ['qpdf'],
      operations: new Map([['misc/a', '1.0.0']]),
      load: { busyWorkers: 1, workers: 2, memoryBytes: 3 },
    });
    const startedAt = Date.parse(list[0]?.startedAt ?? '');
    expect(Math.abs(startedAt - (await store.serverTime()).getTime())).to.be.lessThan(5000);
    await two.close();
    expect((await one.list()).map(({ id }) => id)).to.deep.equal(['n1']);
  });

  it('report needs that no single node meets', async () => {
    const web = await node('web', {
      role: { name: 'web', serves: true, runsJobs: false },
      operations: () =>
        new Map([
          ['misc/a', '1.0.0'],
          ['misc/c', '1.0.0'],
        ]),
      heartbeatMs: 100,
    });
    expect(await web.unmetAnywhere(['misc/a@1.0.0']), 'a web node runs nothing').to.deep.equal(['misc/a@1.0.0']);
    await node('w1', {
      role: { name: 'worker', serves: false, runsJobs: true },
      operations: () =>
        new Map([
          ['misc/a', '1.0.0'],
          ['misc/b', '2.0.0'],
        ]),
    });
    await node('w2', { operations: () => new Map([['misc/c', '1.0.0']]) });
    while ((await web.unmetAnywhere(['misc/a@1.0.0', 'misc/b@2.0.0'])).length > 0) await delay(20);
    expect(await web.unmetAnywhere(['misc/b@2.1.0'])).to.deep.equal(['misc/b@2.1.0']);
    expect(await web.unmetAnywhere(['misc/a@1.0.0', 'misc/c@1.0.0']), 'no single node can run both').to.have.length(1);
  });

  it('report whether all of them have an ability', async () => {
    const has = (...paths: readonly string[]) => new Map(paths.map((path) => [path, '1.0.0']));
    const web = await node('web', { operations: () => has('misc/a', '@new'), heartbeatMs: 100 });
    expect([await web.allHave('@new'), await web.allHave('misc/b')]).to.deep.equal([true, false]);
    const earlier = await node('earlier', { operations: () => has('misc/a') });
    await until(async () => ((await web.allHave('@new')) ? undefined : true));
    expect(await web.allHave('misc/a')).to.equal(true);
    await earlier.close();
    await until(async () => ((await web.allHave('@new')) ? true : undefined));
  });

  it('choose another id when theirs is in use, and appear again after their record was removed', async () => {
    const first = await node('same');
    const second = await node('same');
    await until(async () => ((await first.list()).length === 2 ? true : undefined));
    expect([first.id, second.id].sort()[0]).to.equal('same');
    expect(new Set([first.id, second.id]).size).to.equal(2);
    await store.records<NodeRecord>('nodes', { keys: ['seenAtMs'] }).deleteMany({});
    await until(async () => ((await first.list()).length === 2 ? true : undefined));
  });

  it('are no longer listed once they stop sending heartbeats, but known as lost for a day', async () => {
    const alive = await node('alive');
    const records = store.records<NodeRecord>('nodes', { keys: ['seenAtMs'] });
    const now = (await store.serverTime()).getTime();
    const fallSilent = (id: string, silentMs: number) =>
      records.put({
        id,
        boot: 'x',
        role: 'both',
        version: '1.0.0',
        host: 'h',
        programs: [],
        abilities: '',
        startedAtMs: 1,
        seenAtMs: now - silentMs,
      });
    await fallSilent('lost', 60_000);
    await fallSilent('forgotten', 25 * 3_600_000);
    expect((await alive.list()).map(({ id }) => id)).to.deep.equal(['alive']);
    const lost = { id: 'lost', role: 'both', version: '1.0.0', host: 'h', startedAt: '1970-01-01T00:00:00.001Z' };
    expect((await alive.standing()).lost).to.deep.equal([{ ...lost, seenAt: new Date(now - 60_000).toISOString() }]);
    await alive.sweep();
    expect([await records.get('forgotten'), (await alive.standing()).lost.length]).to.deep.equal([undefined, 1]);
    await node('lost');
    expect((await alive.standing()).lost, 'it was started again').to.deep.equal([]);
  });

  it('are a single node, always present, if the store cannot be shared', async () => {
    const only = await node('only', { shared: false });
    expect(await only.list()).to.have.length(1);
    expect((await only.list())[0]).to.deep.include({
      id: 'only',
      here: true,
      operations: new Map([['misc/a', '1.0.0']]),
    });
    expect(await store.records<NodeRecord>('nodes', { keys: ['seenAtMs'] }).count(), 'nothing is written').to.equal(0);
  });

  describe('a lease', () => {
    let now: number;
    let leases: Leases;
    beforeEach(() => {
      now = Date.now();
      leases = new Leases({ records: store.records<LeaseRecord>('leases'), now: () => now });
    });

    it('has one holder, until it is released or expires', async () => {
      const lease = await leases.take('upkeep', 1000);
      expect(await leases.take('upkeep', 1000)).to.equal(undefined);
      now += 900;
      expect(await lease?.renew()).to.equal(true);
      now += 900;
      expect(await leases.take('upkeep', 1000), 'it was renewed').to.equal(undefined);
      now += 200;
      const next = await leases.take('upkeep', 1000);
      expect(next).not.to.equal(undefined);
      expect(await lease?.renew(), 'the first has lost it').to.equal(false);
      await lease?.release();
      expect(await leases.take('upkeep', 1000), 'it cannot release the lease of another holder').to.equal(undefined);
      await next?.release();
      expect(await leases.take('upkeep', 1000)).not.to.equal(undefined);
    });

    it('goes to one of many processes that ask at once', async () => {
      for (const round of ['new', 'over']) {
        now += 2000;
        const given = await Promise.all(Array.from({ length: 8 }, () => leases.take('upkeep', 1000)));
        expect(
          given.filter((lease) => lease !== undefined),
          round,
        ).to.have.length(1);
      }
    });

    it('limits simultaneous work across nodes, and a dead holder does not block others for ever', async () => {
      const others = new Leases({ records: store.records<LeaseRecord>('leases'), now: () => now });
      let atOnce = 0;
      let most = 0;
      const work = async (node: Leases): Promise<void> => {
        const leave = await node.place('operation misc/a', 2, AbortSignal.timeout(20_000), 60_000);
        most = Math.max(most, ++atOnce);
        await delay(20);
        atOnce--;
        await leave();
      };
      await Promise.all([leases, others, leases, others, leases, others].map(work));
      expect(most).to.equal(2);
      for (const place of [0, 1])
        await store
          .records<LeaseRecord>('leases')
          .put({ id: `operation misc/a ${place}`, holder: 'dead', untilMs: now + 50 });
      const waiting = leases.place('operation misc/a', 2, AbortSignal.timeout(20_000));
      now += 100;
      await (
        await waiting
      )();
      await store
        .records<LeaseRecord>('leases')
        .put({ id: 'operation misc/a 0', holder: 'dead', untilMs: now + 60_000 });
      await store
        .records<LeaseRecord>('leases')
        .put({ id: 'operation misc/a 1', holder: 'dead', untilMs: now + 60_000 });
      const stop = new AbortController();
      const refused = leases.place('operation misc/a', 2, stop.signal).then(
        () => 'entered',
        () => 'left',
      );
      stop.abort(new Error('gone'));
      expect(await refused).to.equal('left');
    });
  });
});
