import { expect } from 'chai';
import { silentLog } from '../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { CallTotals, EndpointDays, type EndpointDayRecord } from './index.js';

describeStores('totals of calls', (make) => {
  let home: TemporaryStore;
  let store: Store;
  let now: Date;
  beforeEach(async () => {
    home = await make();
    store = await home.open();
    now = new Date('2026-11-22T12:00:00Z');
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
  });
  /** A server on the store. */
  const server = (keepDays = 365): { totals: CallTotals; days: EndpointDays; stop(): Promise<void> } => {
    const days = new EndpointDays({
      records: store.records<EndpointDayRecord>('call_days', { keys: ['day'] }),
      clock: { now: () => now },
      log: silentLog,
      keepDays,
    });
    return { days, totals: new CallTotals({ days, keepDays, now: () => now }), stop: () => days.close() };
  };
  const times = (totals: CallTotals, method: 'GET' | 'POST', pattern: string, count: number): void => {
    for (let i = 0; i < count; i++) totals.count(method, pattern);
  };

  it('are those of all servers by method and route, and outlive them', async () => {
    const [one, other] = [server(), server()];
    times(one.totals, 'POST', '/a', 3);
    times(other.totals, 'POST', '/b', 4);
    times(other.totals, 'POST', '/a', 2);
    times(other.totals, 'GET', '/a', 1);
    await Promise.all([one.stop(), other.stop()]);
    const { totals } = server();
    expect(await totals.all('POST')).to.deep.equal([
      { endpoint: '/a', count: 5 },
      { endpoint: '/b', count: 4 },
    ]);
    expect([await totals.total('POST'), await totals.total('GET'), await totals.total('POST', '/b')]).to.deep.equal([
      9, 1, 4,
    ]);
    expect([await totals.total('POST', '/none'), await totals.total('POST', '__proto__')]).to.deep.equal([0, 0]);
  });

  it('include the calls of this moment', async () => {
    const { totals } = server();
    times(totals, 'POST', '/a', 1);
    expect(await totals.total('POST')).to.equal(1);
    times(totals, 'POST', '/a', 1);
    expect(await totals.total('POST')).to.equal(2);
  });

  it('reach back as many days as they are kept, today included', async () => {
    const kept = server(3);
    for (const [day, count] of [
      ['2026-11-20', 1],
      ['2026-11-21', 10],
      ['2026-11-22', 100],
      ['2026-11-23', 1000],
    ] as const) {
      now = new Date(`${day}T23:59:00Z`);
      times(kept.totals, 'POST', '/a', count);
      await kept.days.flush();
    }
    expect(await kept.totals.total('POST')).to.equal(1110);
    expect(await store.records('call_days').count()).to.equal(3);
    now = new Date('2026-11-24T00:00:01Z');
    expect(await kept.totals.total('POST')).to.equal(1100);
    expect([await server(2).totals.total('POST'), await server(1).totals.total('POST')]).to.deep.equal([1000, 0]);
  });

  it('are those of a day whose last calls were written after midnight', async () => {
    const [reader, late] = [server(), server()];
    times(late.totals, 'POST', '/a', 7);
    now = new Date('2026-11-23T00:00:01Z');
    expect(await reader.totals.total('POST')).to.equal(0);
    await late.stop();
    expect(await reader.totals.total('POST')).to.equal(7);
    now = new Date('2026-11-24T00:00:01Z');
    expect(await reader.totals.total('POST'), 'a closed day').to.equal(7);
  });
});
