import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger, Principal } from '@quire/registry';
import { Guard, type Credentials } from '../../core/access/index.js';
import { ServerSecret } from '../../core/secrets/index.js';
import { openAccounts, openLogin, SecondFactorPolicy } from '../../core/accounts/index.js';
import { Roles } from '../../core/roles/index.js';
import { Counters } from '../../core/metrics/index.js';
import {
  DailyLimits,
  createAllowance,
  dailyCallsRecords,
  type AllowanceLimits,
  type DailyCallsRecord,
} from '../../core/billing/index.js';
import { openStore } from '../../core/store/index.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { median, percentile } from '../measure/statistics.js';

const WARM = 2000;
const CALLS = 10_000;
const USERS = 200;
const TARGET_US = 1000;

const log: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
  child: () => log,
} as Logger;
const clock = { now: () => new Date() };
const items = [{ operation: 'general/rotate-pdf', cost: 1 }];
const off: AllowanceLimits = {
  hosting: 'selfHosted',
  period: 'none',
  server: null,
  credits: null,
  spendCap: 0,
  meter: false,
};
const on: AllowanceLimits = {
  hosting: 'cloud',
  period: 'month',
  server: 1_000_000_000,
  credits: 1_000_000,
  spendCap: null,
  meter: true,
};

/** Cost per request besides its work: authentication, authorisation, counting, and charging. */
export const metering: Bench = {
  name: 'metering',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-bench-metering-'));
    const store = await openStore({ kind: 'embedded', folder });
    try {
      const secret = await ServerSecret.load(join(folder, 'server.key'));
      const accounts = await openAccounts({
        store,
        secret,
        clock,
        log,
        cap: { tier: 'enterprise', maxUsers: 0 },
        lock: { attempts: 5, minutes: 120 },
        firstStart: { username: 'chief', password: 'chief-of-this-bench', globalKey: false },
        issuer: 'Quire',
        announce: () => undefined,
        passwordCost: { n: 1024, r: 8, p: 1 },
      });
      const login = openLogin({
        store,
        accounts,
        roles: new Roles({ store, clock, log, rateLimit: true, defaultRole: 'ROLE_USER', portal: 'ORG_ALL' }),
        secondFactorPolicy: SecondFactorPolicy.none(),
        secret,
        clock,
        log,
        globalKey: '',
        throttle: {},
        sessions: {
          expiryMinutes: 60,
          desktopExpiryMinutes: 60,
          clockSkewSeconds: 60,
          refreshGraceMinutes: 15,
          maxDays: 30,
          keepKeys: true,
          cleanUpKeys: true,
        },
      });
      const keys: string[] = [];
      let token = '';
      for (let i = 0; i < USERS; i++) {
        const user = await accounts.users.create({
          username: `user${i}`,
          password: 'a-password-of-this-bench',
          role: 'ROLE_DEMO_USER',
          teamId: undefined,
          authenticationType: 'web',
          mustChangePassword: false,
          mfaRequired: false,
        });
        keys.push((await login.keys.create(user.id, 'bench')).secret);
        if (i === 0)
          token = (await login.sessions.issue(user, { desktop: false, address: '127.0.0.1', client: 'bench' }))
            .access_token;
      }
      const open = new Guard({ tier: 'enterprise', hosting: 'selfHosted', loginEnabled: false });
      const guard = new Guard({ tier: 'enterprise', hosting: 'selfHosted', loginEnabled: true }, login);
      const unmetered = createAllowance({ store, limits: off, clock, log });
      const metered = createAllowance({
        store,
        limits: on,
        clock,
        log,
        teamOf: async ({ id }) => (await accounts.byId(id))?.teamId ?? undefined,
      });
      // A daily limit of a hundred calls per identity: checked in every request and never reached.
      let counted = 0;
      const daily = new DailyLimits(
        store.records<DailyCallsRecord>(dailyCallsRecords.name, dailyCallsRecords.options),
        { now: () => new Date(Date.UTC(2030, 0, 1 + Math.floor(counted++ / 100))) },
        () => ({ apiCallsPerDay: 100, webCallsPerDay: 100 }),
      );
      const counters = new Counters();
      const anyKey = (n: number): Credentials => ({ key: keys[n % USERS], address: '127.0.0.1' });
      const without = async (n: number): Promise<void> => {
        const principal = await open.check({}, anyKey(n));
        await (await unmetered.charge(principal, items, 'route')).settle();
      };
      const withAll =
        (credentials: (n: number) => Credentials) =>
        async (n: number): Promise<void> => {
          const principal = await guard.check({}, credentials(n));
          await daily.count(principal);
          counters.count({
            method: 'POST',
            path: '/api/v1/general/rotate-pdf',
            pattern: '/api/v1/general/rotate-pdf',
            session: `p${principal.id}`,
          });
          await (await metered.charge(principal, items, 'route')).settle();
        };
      const byKey: Principal = await guard.check({}, anyKey(0));
      const bare = await microseconds(without);
      const rows: BenchRow[] = [];
      for (const [what, step] of [
        ['A call with an API key', withAll(anyKey)],
        ['A call with a session token', withAll(() => ({ bearer: token, address: '127.0.0.1' }))],
        ['of it: recognising the key', async (n: number) => void (await guard.check({}, anyKey(n)))],
        [
          'of it: recognising the session token',
          async () => void (await guard.check({}, { bearer: token, address: '127.0.0.1' })),
        ],
        ['of it: taking and settling a charge', async () => (await metered.charge(byKey, items, 'route')).settle()],
      ] as const) {
        const times = await microseconds(step);
        const [middle, slow] = [median(times), percentile(times, 0.99)];
        const whole = !what.startsWith('of it');
        rows.push({
          what: whole ? `${what}: authentication, daily limit, counting and metering together` : what,
          ours: `p50 ${middle.toFixed(0)} µs, p99 ${slow.toFixed(0)} µs`,
          native: whole ? `p50 ${median(bare).toFixed(0)} µs (login off, nothing metered)` : '',
          ratio: undefined,
          target: whole ? `≤ ${TARGET_US} µs` : '',
          met: whole ? middle - median(bare) <= TARGET_US : undefined,
        });
      }
      await login.close();
      await metered.close();
      return rows;
    } finally {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Times a step many times, one after another, in microseconds. */
async function microseconds(step: (n: number) => Promise<void>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < WARM + CALLS; n++) {
    const began = performance.now();
    await step(n);
    if (n >= WARM) found.push((performance.now() - began) * 1000);
  }
  return found;
}
