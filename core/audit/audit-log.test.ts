import { text } from 'node:stream/consumers';
import { OperationalError } from '@quire/registry/errors';
import { expect } from 'chai';
import { codeOf } from '../../test/suites/code-of.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { openAuditLog, type AuditData, type AuditEvent, type AuditLog, type AuditLogDeps } from './index.js';

const data: AuditData = {
  method: 'POST',
  path: '/api/v1/x',
  status: 200,
  ms: 3,
  address: '::1',
  origin: 'API',
  requestId: 'r',
};

describeStores('The audit log', (make) => {
  let home: TemporaryStore;
  let store: Store;
  let now: Date;
  let warnings: object[];
  const logs: AuditLog[] = [];
  const open = async (more: Partial<AuditLogDeps> = {}): Promise<AuditLog> => {
    const log = await openAuditLog({
      store,
      clock: { now: () => now },
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: (what: object) => void warnings.push(what),
        error: () => undefined,
      },
      level: 3,
      retentionDays: 90,
      ...more,
    });
    logs.push(log);
    return log;
  };
  const at = (time: string): void => void (now = new Date(time));
  const names = (events: readonly AuditEvent[]): string[] => events.map(({ principal }) => principal);

  beforeEach(async () => {
    home = await make();
    store = await home.open();
    at('2026-11-22T10:00:00.000Z');
    warnings = [];
  });
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
    await store.close();
    await home.remove();
  });

  it('stores the events of its level, newest first, for every server on the store', async () => {
    const [basic, verbose] = [await open({ level: 1 }), await open()];
    for (const log of [basic, verbose]) {
      for (const type of ['USER_LOGIN', 'PDF_PROCESS', 'HTTP_REQUEST'] as const)
        log.record(type, `level ${log.level}`, data);
      await log.flush();
      at('2026-11-22T10:00:01.000Z');
    }
    const { events, total } = await basic.page({}, 0, 10);
    expect([total, events.map(({ type, principal }) => [type, principal])]).to.deep.equal([
      4,
      [
        ['HTTP_REQUEST', 'level 3'],
        ['PDF_PROCESS', 'level 3'],
        ['USER_LOGIN', 'level 3'],
        ['USER_LOGIN', 'level 1'],
      ],
    ]);
    expect(events[3]).to.deep.include({ timestamp: '2026-11-22T10:00:00.000Z', data });
  });

  it('filters by type, principal and both ends of a time range, in pages and sums', async () => {
    const log = await open();
    for (let i = 0; i < 6; i++) {
      at(`2026-11-2${i}T00:00:00.000Z`);
      log.record(i % 2 === 0 ? 'USER_LOGIN' : 'PDF_PROCESS', i < 3 ? 'ada' : 'bob', data);
    }
    const [from, to] = [Date.parse('2026-11-21'), Date.parse('2026-11-24')];
    const page = async (filter: object, at_ = 0, size = 10) =>
      (await log.page(filter, at_, size)).events.map(({ timestamp }) => timestamp.slice(8, 10)).join();
    expect([
      await page({ from, to }),
      await page({ from, to }, 0, 3),
      await page({ from, to }, 1, 3),
      await page({ from, to }, 2, 3),
    ]).to.deep.equal(['24,23,22,21', '24,23,22', '21', '']);
    expect([
      await page({ from: from + 1, to: to - 1 }),
      await page({ type: 'USER_LOGIN', from }),
      await page({ principal: 'bob', type: 'USER_LOGIN' }),
      await page({ principal: 'eve' }),
    ]).to.deep.equal(['23,22', '24,22', '24', '']);
    const { totalEvents, byType, byPrincipal, byDay, complete } = await log.statistics({ from: from + 1 });
    expect([totalEvents, [...byType], [...byPrincipal], [...byDay.keys()], complete]).to.deep.equal([
      4,
      [
        ['PDF_PROCESS', 2],
        ['USER_LOGIN', 2],
      ],
      [
        ['bob', 3],
        ['ada', 1],
      ],
      ['2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25'],
      true,
    ]);
  });

  it('exports more than one batch, each event once, with formulas escaped', async () => {
    const log = await open();
    for (let i = 0; i < 1001; i++) log.record('PDF_PROCESS', `p${i}`, data);
    log.record('USER_FAILED_LOGIN', '=HYPERLINK("x")', { ...data, subject: '@SUM(1)' });
    expect(names(JSON.parse(await text(await log.export({}, 'json'))) as AuditEvent[])).to.deep.equal([
      '=HYPERLINK("x")',
      ...Array.from({ length: 1001 }, (_, i) => `p${1000 - i}`),
    ]);
    const lines = (await text(await log.export({ type: 'USER_FAILED_LOGIN' }, 'csv'))).split('\r\n');
    expect(lines.length).to.equal(3);
    expect(lines[0]).to.match(/^"id","timestamp","principal","type"/);
    expect(lines[1]).to.include(`"'=HYPERLINK(""x"")"`).and.include(`"'@SUM(1)"`);
    expect(JSON.parse(await text(await log.export({ principal: 'nobody' }, 'json')))).to.deep.equal([]);
  });

  it('removes expired events, once a day for any number of servers, and never if they are kept for ever', async () => {
    const [one, other, forEver] = [
      await open({ retentionDays: 2 }),
      await open({ retentionDays: 2 }),
      await open({ retentionDays: 0 }),
    ];
    for (const day of ['18', '19', '20', '21']) {
      at(`2026-11-${day}T12:00:00Z`);
      one.record('USER_LOGIN', day, data);
    }
    at('2026-11-22T12:00:00Z');
    await one.flush();
    expect([await forEver.sweep(), await one.sweep(), await other.sweep()]).to.deep.equal([0, 2, 0]);
    expect(names((await one.page({}, 0, 9)).events)).to.deep.equal(['21', '20']);
    at('2026-11-23T12:00:00Z');
    expect([
      await other.sweep(),
      await one.sweep(),
      await one.deleteBefore(Date.parse('2026-11-21T12:00:00Z')),
      await one.clear(),
      await one.count({}),
    ]).to.deep.equal([1, 0, 0, 1, 0]);
  });

  it('waits for an unreachable store, drops and counts what is too much, and writes nothing twice', async () => {
    let away = true;
    const flaky = {
      records: ((...args: Parameters<Store['records']>) => {
        const records = store.records<AuditEvent>(...args);
        const insert = async (event: AuditEvent): Promise<AuditEvent> => {
          // The first event is written, but the response is lost.
          if (away && event.principal !== 'p0') throw new OperationalError('STORE_DOWN');
          const written = await records.insert(event);
          if (away) throw new OperationalError('STORE_DOWN');
          return written;
        };
        return Object.assign(Object.create(records) as typeof records, {
          insert,
          find: records.find.bind(records),
          findOne: records.findOne.bind(records),
          count: records.count.bind(records),
          deleteMany: records.deleteMany.bind(records),
        });
      }) as Store['records'],
    };
    const log = await open({ store: flaky, mostWaiting: 3 });
    for (let i = 0; i < 5; i++) log.record('USER_LOGIN', `p${i}`, data);
    expect(
      [await codeOf(log.flush()), await codeOf(log.page({}, 0, 9)), log.waiting, log.dropped],
      'the second try finds the first event written',
    ).to.deep.equal(['STORE_DOWN', 'STORE_DOWN', 2, 2]);
    away = false;
    expect([names((await log.page({}, 0, 9)).events), log.waiting, warnings]).to.deep.equal([
      ['p2', 'p1', 'p0'],
      0,
      [{ dropped: 2 }],
    ]);
    log.record('USER_LOGIN', 'last', data);
    await log.close();
    expect((await (await open()).page({}, 0, 1)).events[0]?.principal).to.equal('last');
  });
});
