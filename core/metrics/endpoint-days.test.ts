import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry/errors';
import { expect } from 'chai';
import { openStore, type Records, type Store } from '../store/index.js';
import { EndpointDays, type EndpointDayRecord } from './index.js';

describe('calls by route and day', () => {
  let folder: string;
  let store: Store;
  let records: Records<EndpointDayRecord>;
  let now: Date;
  const warnings: string[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => undefined,
  };
  const open = (): EndpointDays => new EndpointDays({ records, clock: { now: () => now }, log });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-days-'));
    store = await openStore({ kind: 'embedded', folder });
    records = store.records<EndpointDayRecord>('endpoint_days', { keys: ['day'] });
    now = new Date('2026-11-22T23:59:59Z');
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const times = (days: EndpointDays, endpoint: string, count: number): void => {
    for (let i = 0; i < count; i++) days.count(endpoint);
  };

  it('include all servers on the store and outlive them', async () => {
    const [one, other] = [open(), open()];
    times(one, '/a', 3);
    times(other, '/a', 2);
    times(other, '/b', 9);
    await Promise.all([one.close(), other.close()]);
    expect(await open().since(1)).to.deep.equal([
      { endpoint: '/b', visits: 9 },
      { endpoint: '/a', visits: 5 },
    ]);
  });

  it('are summed over the requested days including today (UTC), and removed after a year', async () => {
    const days = open();
    times(days, '/a', 1);
    now = new Date('2026-11-23T00:00:01Z');
    times(days, '/a', 10);
    expect([await days.since(1), await days.since(2)]).to.deep.equal([
      [{ endpoint: '/a', visits: 10 }],
      [{ endpoint: '/a', visits: 11 }],
    ]);
    now = new Date('2027-11-23T00:00:01Z');
    times(days, '/b', 1);
    expect([await days.since(365), await records.count()]).to.deep.equal([[{ endpoint: '/b', visits: 1 }], 1]);
  });

  it('wait while the store is unavailable, and none is lost or counted twice', async () => {
    let away = true;
    const flaky = Object.assign(Object.create(records) as Records<EndpointDayRecord>, {
      update: (...args: Parameters<typeof records.update>) =>
        away ? Promise.reject(new OperationalError('STORE_DOWN')) : records.update(...args),
      insert: records.insert.bind(records),
      find: records.find.bind(records),
      deleteMany: records.deleteMany.bind(records),
    });
    const days = new EndpointDays({ records: flaky, clock: { now: () => now }, log });
    times(days, '/a', 4);
    const failed = await days.flush().then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
    times(days, '/a', 1);
    away = false;
    await Promise.all([days.flush(), days.flush()]);
    expect([failed, await days.since(1)]).to.deep.equal(['STORE_DOWN', [{ endpoint: '/a', visits: 5 }]]);
    away = true;
    times(days, '/a', 1);
    await days.close();
    expect(warnings).to.include('the last counts of calls are lost');
  });
});
