import type { Logger } from '@quire/registry';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import { ServerSlot, type SlotRecord } from './server-slot.js';

const log: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
  child: () => log,
} as Logger;

describe('A server slot', () => {
  let home: TemporaryStore;
  let store: Store;
  let settled: string[];
  let nowMs: number;
  const slots: ServerSlot[] = [];
  const open = (shared: boolean, beatMs = 3_600_000): ServerSlot => {
    const slot = new ServerSlot({
      records: store.records<SlotRecord>('slots', { keys: ['seenAtMs'] }),
      shared,
      log,
      now: async () => new Date(nowMs),
      leaseMs: 1000,
      beatMs,
      settle: async (name) => void settled.push(name),
    });
    slots.push(slot);
    return slot;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    for (let i = 0; i < 2000 && !holds(); i++) await delay(10);
    expect(holds()).to.equal(true);
  };
  beforeEach(async () => {
    home = await temporaryEmbeddedStore();
    store = await home.open();
    settled = [];
    nowMs = 1_000_000;
  });
  afterEach(async () => {
    await Promise.all(slots.splice(0).map((slot) => slot.close()));
    await store.close();
    await home.remove();
  });

  it('of a store with one server is always the first, and is settled before its use', async () => {
    expect(await open(false).current()).to.equal('s0');
    expect(settled).to.deep.equal(['s0']);
  });

  it('is different for each of several servers', async () => {
    const names = await Promise.all(Array.from({ length: 5 }, () => open(true).current()));
    expect(names.sort()).to.deep.equal(['s0', 's1', 's2', 's3', 's4']);
  });

  it('is released at a stop and taken again by the next server', async () => {
    const first = open(true);
    await first.current();
    await first.close();
    expect(await open(true).current()).to.equal('s0');
  });

  it('of a dead server is taken over after its lease, not before', async () => {
    await open(true).current();
    nowMs += 999;
    expect(await open(true).current()).to.equal('s1');
    nowMs += 2;
    expect(await open(true).current()).to.equal('s0');
  });

  it('of a dead server is settled by a running one', async () => {
    await open(true).current();
    const living = open(true, 20);
    expect(await living.current()).to.equal('s1');
    settled = [];
    nowMs += 5000;
    await until(() => settled.includes('s0'));
    expect(settled).to.not.include('s1');
    expect(living.holds('s1')).to.equal(true);
  });

  it('is lost by a server that was silent for too long, which takes another', async () => {
    const silent = open(true, 300);
    expect(await silent.current()).to.equal('s0');
    nowMs += 5000;
    expect(await open(true).current()).to.equal('s0');
    await until(() => silent.holds('s1'));
    expect(silent.holds('s0')).to.equal(false);
  });
});
