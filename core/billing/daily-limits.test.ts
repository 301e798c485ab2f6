import type { Principal } from '@quire/registry';
import { expect } from 'chai';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { builtInRoles } from '../roles/model.js';
import { DailyLimits, dailyCallsRecords, type CallsPerDay, type DailyCallsRecord } from './daily-limits.js';

const caller = (role: string, via: Principal['via'], id = '7'): Principal => ({
  id,
  name: 'anna',
  role: 'user',
  roles: [role],
  via,
});

interface Refusal {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const shipped = new Map(builtInRoles(true).map(({ name, rights }) => [name, rights.limits]));
const limitsOf = ({ roles: [role = ''] = [] }: Principal): CallsPerDay => {
  const { apiCallsPerDay = null, webCallsPerDay = null } = shipped.get(role) ?? {};
  return { apiCallsPerDay, webCallsPerDay };
};
const limited = [...shipped].flatMap(([role, { apiCallsPerDay: api, webCallsPerDay: web }]) =>
  api === null || web === null ? [] : [[role, { api, web }] as const],
);

describeStores('daily limits of roles', (make) => {
  let store: Store;
  let reopen: () => Promise<void>;
  let remove: () => Promise<void>;
  let now: Date;
  const limits = (): DailyLimits =>
    new DailyLimits(
      store.records<DailyCallsRecord>(dailyCallsRecords.name, dailyCallsRecords.options),
      { now: () => now },
      limitsOf,
    );
  beforeEach(async () => {
    const home = await make();
    store = await home.open();
    now = new Date('2026-11-21T22:00:00Z');
    reopen = async () => {
      await store.close();
      store = await home.open();
    };
    remove = () => home.remove();
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  it('match the contract', () => {
    expect(Object.fromEntries(limited)).to.deep.equal({
      ROLE_LIMITED_API_USER: { api: 40, web: 40 },
      ROLE_EXTRA_LIMITED_API_USER: { api: 20, web: 20 },
      ROLE_WEB_ONLY_USER: { api: 0, web: 20 },
      ROLE_DEMO_USER: { api: 100, web: 100 },
    });
  });

  it("limit each role's calls, with a key and in the browser", async () => {
    for (const [role, most] of limited) {
      for (const [via, limit] of [
        ['key', most.api],
        ['session', most.web],
      ] as const) {
        const counted = limits();
        const calls = await Promise.all(
          Array.from({ length: limit + 10 }, () =>
            counted.count(caller(role, via, role)).catch((error: Refusal) => error),
          ),
        );
        const passed = calls.filter((call) => typeof call === 'number');
        expect(passed, `${role} ${via}`).to.have.length(limit);
        expect(Math.min(...passed, limit), `${role} ${via}`).to.equal(0);
        const refused = calls.find((call) => typeof call === 'object');
        expect(refused).to.deep.include({
          code: 'DAILY_LIMIT_REACHED',
          data: { kind: via === 'key' ? 'API' : 'web', seconds: 7200 },
        });
      }
    }
  });

  it('do not apply to other roles, callers without an account, or while rateLimit is off', async () => {
    const counted = limits();
    for (const role of ['ROLE_ADMIN', 'ROLE_USER', 'ROLE_PRO_USER', 'ROLE_BACKEND_API_USER'])
      expect(await counted.count(caller(role, 'key')), role).to.equal(undefined);
    expect(await counted.count({ id: '', name: 'anonymous', role: 'anonymous', via: 'none' })).to.equal(undefined);
    const off = builtInRoles(false).map(({ rights }) => rights.limits.apiCallsPerDay);
    expect(new Set(off)).to.deep.equal(new Set([null]));
  });

  it('survive a restart, and start again at midnight UTC', async () => {
    expect(await limits().count(caller('ROLE_EXTRA_LIMITED_API_USER', 'key'))).to.equal(19);
    await reopen();
    expect(await limits().count(caller('ROLE_EXTRA_LIMITED_API_USER', 'key'))).to.equal(18);
    const counted = limits();
    now = new Date('2026-11-22T00:00:00Z');
    expect(await counted.count(caller('ROLE_EXTRA_LIMITED_API_USER', 'key'))).to.equal(19);
    // Yesterday's record was deleted.
    expect(
      (await store.records<DailyCallsRecord>(dailyCallsRecords.name, dailyCallsRecords.options).find()).map(
        ({ day }) => day,
      ),
    ).to.deep.equal(['2026-11-22']);
  });

  it('share one count among all keys of a user, and count users separately', async () => {
    const counted = limits();
    expect(await counted.count({ ...caller('ROLE_DEMO_USER', 'key'), keyId: 'a' })).to.equal(99);
    expect(await counted.count({ ...caller('ROLE_DEMO_USER', 'key'), keyId: 'b' })).to.equal(98);
    expect(await counted.count(caller('ROLE_DEMO_USER', 'key', '8'))).to.equal(99);
  });
});
