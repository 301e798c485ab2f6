import { expect } from 'chai';
import { gate, silentLog, until } from '../../../test/suites/job-harness.js';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { OperationalError } from '@quire/registry';
import type { Store } from '../../store/index.js';
import { openFolderRecords, type FolderRecords } from './folder-records.js';
import { FolderStates, mergedStates } from './folder-states.js';
import { statusOf, type FolderFacts, type FolderStatus } from './folder-status.js';

const nothing: FolderFacts = {
  running: 0,
  queued: 0,
  unsettled: 0,
  elsewhere: false,
  pipeline: null,
  problem: null,
};
const running = (number: number): FolderStatus => statusOf({ ...nothing, running: number });

describe('The published states of watched folders', () => {
  const place = { root: 0, path: 'in' };
  let temporary: TemporaryStore;
  let store: Store;
  let records: FolderRecords;
  let opened: FolderStates[];
  let beforePut: () => Promise<void>;
  const now = new Date('2026-11-28T12:00:00Z');

  beforeEach(async () => {
    temporary = await temporaryEmbeddedStore();
    store = await temporary.open();
    records = openFolderRecords(store);
    opened = [];
    beforePut = async () => undefined;
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    await store.close();
    await temporary.remove();
  });

  function states(node: string, living: readonly string[] = [node]): FolderStates {
    const { states: own } = records;
    const slow: Pick<typeof own, 'put' | 'delete' | 'deleteMany' | 'find'> = {
      put: async (record) => {
        await beforePut();
        return own.put(record);
      },
      delete: (id) => own.delete(id),
      deleteMany: (where) => own.deleteMany(where),
      find: () => own.find(),
    };
    const made = new FolderStates({
      records: { states: slow },
      clock: { now: () => now },
      log: silentLog,
      node: () => node,
      living: async () => new Set(living),
      shared: true,
    });
    opened.push(made);
    return made;
  }
  const stored = async (): Promise<number[]> => (await records.states.find()).map((record) => record.running);

  it('are those of the end when a folder changes while the store is slow', async () => {
    const held = gate();
    let puts = 0;
    const published = states('n1');
    published.changed(place, running(1));
    await until(async () => ((await stored())[0] === 1 ? true : undefined));
    beforePut = async () => {
      puts += 1;
      if (puts === 1) await held.opened;
    };
    published.changed(place, running(2));
    await until(() => (puts === 1 ? true : undefined));
    published.changed(place, running(1));
    held.open();
    await until(() => (puts === 2 ? true : undefined));
    await until(async () => ((await stored())[0] === 1 ? true : undefined));
  });

  it('are written once the store can be reached again', async function () {
    this.timeout(20_000);
    let tries = 0;
    beforePut = async () => {
      tries += 1;
      if (tries === 1) throw new OperationalError('STORE_DOWN');
    };
    states('n1').changed(place, running(3));
    await until(async () => ((await stored())[0] === 3 ? true : undefined));
    expect(tries).to.equal(2);
  });

  it('go with the folder, with the node, and some time after a node that died', async () => {
    const [first, second] = [states('n1'), states('n2')];
    first.changed(place, running(1));
    second.changed(place, running(2));
    first.changed({ root: 0, path: 'other' }, running(4));
    await until(async () => ((await stored()).length === 3 ? true : undefined));
    first.gone({ root: 0, path: 'other' });
    await until(async () => ((await stored()).length === 2 ? true : undefined));
    await second.close();
    expect(await stored()).to.deep.equal([1]);
    for (const [node, minutes] of [
      ['dead', 20],
      ['starting', 1],
    ] as const)
      await records.states.put({
        id: `x ${node}`,
        folder: 'x',
        node,
        ...place,
        ...running(9),
        changedAtMs: now.getTime() - minutes * 60_000,
      });
    await states('n3').start();
    expect((await records.states.find()).map(({ node }) => node)).to.have.members(['n1', 'starting']);
  });
});

describe('The states that nodes report about a folder', () => {
  const state = (node: string, path: string, facts: Partial<FolderFacts>) => ({
    id: `${path} ${node}`,
    folder: path,
    node,
    root: 0,
    path,
    ...statusOf({ ...nothing, ...facts }),
    changedAtMs: 0,
  });
  const problem = { kind: 'failed' as const, detail: 'x', since: '', errors: [] };

  it('become one: that of the node that works there', () => {
    const merged = mergedStates([
      state('n1', 'b', { elsewhere: true }),
      state('n2', 'b', { running: 1 }),
      state('n1', 'a', { elsewhere: true, unsettled: 2 }),
      state('n2', 'a', { problem }),
    ]);
    expect(merged.map(({ path, node, state: name }) => [path, node, name])).to.deep.equal([
      ['a', 'n2', 'problem'],
      ['b', 'n2', 'running'],
    ]);
  });
});
