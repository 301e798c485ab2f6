import { OperationalError } from '@quire/registry';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Records, type Store } from '../store/index.js';
import { SwitchBoard, type SwitchRecord } from './switches.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => new Date('2026-02-03T04:05:06Z') };

describe('SwitchBoard', () => {
  let folder: string;
  let store: Store;
  let records: Records<SwitchRecord>;
  const boards: SwitchBoard[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-switches-'));
    store = await openStore({ kind: 'embedded', folder });
    records = store.records<SwitchRecord>('switches');
  });
  afterEach(async () => {
    boards.splice(0).forEach((board) => board.stop());
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function board(shared = false, from = records): Promise<SwitchBoard> {
    const made = new SwitchBoard({ records: from, log, clock, shared, pollMs: 20 });
    boards.push(made);
    await made.start();
    return made;
  }

  it('applies a switch at once, and keeps who changed it and when', async () => {
    const first = await board();
    const { revision } = first;
    await first.set('operation', 'general/rotate-pdf', false, 'ada');
    expect(first.get('operation', 'general/rotate-pdf')).to.equal(false);
    expect(first.revision).to.be.greaterThan(revision);
    const later = await board();
    expect(later.list()).to.deep.equal([
      {
        id: 'operation:general/rotate-pdf',
        kind: 'operation',
        name: 'general/rotate-pdf',
        enabled: false,
        changedAt: '2026-02-03T04:05:06.000Z',
        changedBy: 'ada',
      },
    ]);
  });

  it('removes a switch, so that it decides nothing any more', async () => {
    const first = await board();
    await first.set('category', 'misc', false, 'ada');
    await first.set('category', 'misc', null, 'ada');
    expect(first.get('category', 'misc')).to.equal(undefined);
    expect(await records.count()).to.equal(0);
  });

  it('shares switches with another server on the same store', async () => {
    const [here, there] = [await board(true), await board(true)];
    await here.set('plugin', '@quire/plugin-general', false, 'ada');
    const end = Date.now() + 25_000;
    while (there.get('plugin', '@quire/plugin-general') !== false && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(there.get('plugin', '@quire/plugin-general')).to.equal(false);
  });

  it('keeps its revision when a poll finds no change', async () => {
    const first = await board(true);
    await first.set('category', 'misc', true, 'ada');
    const { revision } = first;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(first.revision).to.equal(revision);
  });

  it('is unknown while the store is down, known once it answers, and stays known when it goes down again', async () => {
    let away = true;
    const flaky = Object.assign(Object.create(records) as Records<SwitchRecord>, {
      find: () => (away ? Promise.reject(new OperationalError('STORE_DOWN')) : records.find()),
    });
    await records.put({
      id: 'category:misc',
      kind: 'category',
      name: 'misc',
      enabled: false,
      changedAt: '2026-02-03T04:05:06.000Z',
      changedBy: 'ada',
    });
    const first = await board(true, flaky);
    expect(first.known).to.equal(false);
    away = false;
    const end = Date.now() + 25_000;
    while (!first.known && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
    expect([first.known, first.get('category', 'misc')]).to.deep.equal([true, false]);
    away = true;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([first.known, first.get('category', 'misc')]).to.deep.equal([true, false]);
  });
});
