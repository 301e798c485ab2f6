import type { Logger, Principal } from '@quire/registry';
import { expect } from 'chai';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { noCharge, type Allowance, type AllowanceLimits, type ChargeItem } from './allowance.js';
import { createAllowance } from './create-allowance.js';

const caller = (via: Principal['via'], more: Partial<Principal> = {}): Principal => ({
  id: '7',
  name: 'anna',
  role: 'user',
  via,
  ...more,
});
const anonymous: Principal = { id: '', name: 'anonymous', role: 'anonymous', via: 'none' };
const rotate: readonly ChargeItem[] = [{ operation: 'general/rotate-pdf', cost: 1 }];
const steps: readonly ChargeItem[] = [
  ...rotate,
  { operation: 'misc/ocr-pdf', cost: 3 },
  { operation: 'misc/compress-pdf', cost: 1 },
];

const shipped: AllowanceLimits = {
  hosting: 'selfHosted',
  period: 'none',
  server: null,
  credits: null,
  spendCap: 0,
  meter: false,
};
const log: Logger = {
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
  child: () => log,
} as Logger;

interface Refusal {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const refusalOf = async (act: Promise<unknown>): Promise<Refusal> =>
  act.then(
    () => ({ code: 'passed', data: {} }),
    (error: Refusal) => error,
  );
const codeOf = async (act: Promise<unknown>): Promise<string> => (await refusalOf(act)).code;

describeStores('the allowance', (make: () => Promise<TemporaryStore>) => {
  let home: TemporaryStore;
  let store: Store;
  let now: Date;
  const opened: Allowance[] = [];
  const open = (
    limits: Partial<AllowanceLimits>,
    more: {
      store?: Store;
      teamOf?: (principal: Principal) => Promise<string | undefined>;
      leaseMs?: number;
      beatMs?: number;
    } = {},
  ): Allowance => {
    const { leaseMs = 60_000, beatMs = 50, teamOf } = more;
    const allowance = createAllowance({
      store: more.store ?? store,
      limits: { ...shipped, ...limits },
      clock: { now: () => now },
      log,
      timing: { leaseMs, beatMs },
      ...(teamOf === undefined ? {} : { teamOf }),
    });
    opened.push(allowance);
    return allowance;
  };
  beforeEach(async () => {
    home = await make();
    store = await home.open();
    now = new Date('2026-11-21T22:00:00Z');
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((allowance) => allowance.close().catch(() => undefined)));
    await store.close();
    await home.remove();
  });

  it('meters nothing with the shipped settings', async () => {
    const allowance = open({});
    for (let i = 0; i < 100; i++) expect(await allowance.charge(caller('key'), rotate, 'route')).to.equal(noCharge);
    expect(await allowance.usage()).to.include({ metered: false, used: 0, limit: null });
  });

  it('counts without a limit when licence.meter is on', async () => {
    const allowance = open({ meter: true });
    await (await allowance.charge(caller('key'), rotate, 'route')).settle();
    expect(await allowance.usage()).to.include({ metered: true, used: 1, limit: null, remaining: null });
  });

  it('charges API keys and pipeline steps, but not browser users or servers without login', async () => {
    const allowance = open({ server: 100 });
    const used = async (principal: Principal, origin: 'route' | 'pipeline' | 'job'): Promise<number> => {
      const before = allowance.stats().charged;
      await (await allowance.charge(principal, rotate, origin)).settle();
      return allowance.stats().charged - before;
    };
    for (const via of ['key', 'globalKey'] as const)
      for (const origin of ['route', 'job', 'pipeline'] as const)
        expect(await used(caller(via), origin), `${via} ${origin}`).to.equal(1);
    for (const principal of [caller('session'), anonymous]) {
      for (const origin of ['route', 'job'] as const)
        expect(await used(principal, origin), `${principal.via} ${origin}`).to.equal(0);
      expect(await used(principal, 'pipeline'), `${principal.via} pipeline`).to.equal(1);
    }
    expect(await used(caller('key'), 'route')).to.equal(1);
  });

  it('charges every request to the assistant, but not its tools in the browser', async () => {
    const allowance = open({ server: 100 });
    for (const [operation, units] of [
      ['ai/orchestrate', 1],
      ['ai/pdf/edit', 1],
      ['ai/tools/classify-and-label', 0],
      ['general/ai/rotate', 0],
    ] as const) {
      const before = allowance.stats().charged;
      for (const principal of [caller('session'), anonymous])
        await (await allowance.charge(principal, [{ operation, cost: 1 }], 'route')).settle();
      expect(allowance.stats().charged - before, operation).to.equal(2 * units);
    }
    expect((await allowance.usage()).byCategory).to.deep.equal({ AI: 4 });
  });

  it('refuses a call beyond the limit without taking units, and admits a smaller one that fits', async () => {
    const allowance = open({ server: 4 });
    await (await allowance.charge(caller('key'), rotate, 'route')).settle();
    expect(await refusalOf(allowance.charge(caller('key'), steps, 'pipeline'))).to.deep.include({
      code: 'ACCOUNT_LINK_REQUIRED',
      data: { reason: 'OVER_LIMIT' },
    });
    expect(await codeOf(allowance.check(caller('key'), steps, 'pipeline'))).to.equal('ACCOUNT_LINK_REQUIRED');
    expect(await codeOf(allowance.check(caller('session'), steps, 'route'))).to.equal('passed');
    expect((await allowance.usage()).used).to.equal(1);
    await (await allowance.charge(caller('key'), [{ operation: 'misc/ocr-pdf', cost: 3 }], 'route')).settle();
    expect((await allowance.usage()).remaining).to.equal(0);
    expect(allowance.stats()).to.include({ charged: 4, refused: 2, used: 4 });
  });

  it('admits exactly as many of fifty concurrent calls as fit', async () => {
    const allowance = open({ server: 17 });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(allowance.charge(caller('key'), rotate, 'route'))),
    );
    expect(outcomes.filter((outcome) => outcome === 'passed')).to.have.length(17);
    expect(outcomes.filter((outcome) => outcome === 'ACCOUNT_LINK_REQUIRED')).to.have.length(33);
    expect((await allowance.usage()).used).to.equal(17);
  });

  it('refunds a failed call once, however often it is ended', async () => {
    const allowance = open({ server: 1 });
    const charge = await allowance.charge(caller('key'), rotate, 'route');
    expect(await codeOf(allowance.charge(caller('key'), rotate, 'route'))).to.equal('ACCOUNT_LINK_REQUIRED');
    await charge.refund();
    await charge.refund();
    await charge.settle();
    expect(await allowance.usage()).to.include({ used: 0, pending: 0 });
    expect((await allowance.usage()).byOperation).to.deep.equal([]);
  });

  it('keeps only the pipeline steps that were started', async () => {
    const allowance = open({ server: 10 });
    const charge = await allowance.charge(caller('key'), steps, 'pipeline');
    expect(await allowance.usage()).to.include({ used: 5, pending: 5 });
    await charge.settle(new Set([0, 1]));
    expect(await allowance.usage()).to.include({ used: 4, pending: 0 });
  });

  it('reports usage by caller and operation', async () => {
    const allowance = open({ server: 100 });
    await (await allowance.charge(caller('key', { keyId: 'k.1' }), rotate, 'route')).settle();
    await (
      await allowance.charge(caller('key', { keyId: 'k.1' }), [{ operation: 'ai/tools/summary', cost: 2 }], 'job')
    ).settle();
    await (await allowance.charge(anonymous, steps, 'pipeline')).settle();
    const usage = await allowance.usage();
    expect(usage.byCategory).to.deep.equal({ API: 1, AI: 2, AUTOMATION: 5 });
    expect(usage.byOperation[0]).to.deep.equal({ operation: 'misc/ocr-pdf', units: 3 });
    expect(usage.byOperation.find(({ operation }) => operation === 'general/rotate-pdf')).to.deep.equal({
      operation: 'general/rotate-pdf',
      units: 2,
    });
    expect(usage.byUser).to.deep.equal([
      { id: '', name: 'anonymous', units: 5, keys: [{ key: 'none', units: 5 }] },
      { id: '7', name: 'anna', units: 3, keys: [{ key: 'k_1', units: 3 }] },
    ]);
  });

  it('survives a restart, and refunds calls that were running when the server died', async () => {
    // A dead process sends no heartbeat.
    const first = open({ server: 10 }, { beatMs: 3_600_000 });
    await (await first.charge(caller('key'), rotate, 'route')).settle();
    await first.charge(caller('key'), steps, 'pipeline');
    expect((await first.usage()).used).to.equal(6);
    // The process dies here: nothing is closed. With a shared store the next server would wait for the lease, so it
    // gets an expired one.
    const next = open({ server: 10 }, { leaseMs: -1 });
    await next.open();
    expect(await next.usage()).to.include({ used: 1, pending: 0 });
    expect(next.stats().used).to.equal(1);
    await (await next.charge(caller('key'), rotate, 'route')).settle();
    expect((await next.usage()).used).to.equal(2);
  });

  it('refunds running calls when the server stops', async () => {
    const first = open({ server: 10 });
    await first.charge(caller('key'), rotate, 'route');
    await first.close();
    expect((await open({ server: 10 }).usage()).used).to.equal(0);
  });

  it('starts again each day or month, in UTC', async () => {
    const cases = [
      ['day', '2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00Z'],
      ['month', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z'],
    ] as const;
    for (const [period, before, after] of cases) {
      now = new Date(before);
      const allowance = open({ server: 1, period });
      const last = await allowance.charge(caller('key'), rotate, 'route');
      expect(last.left[0]).to.deep.include({ policy: 'allowance', limit: 1, remaining: 0 });
      expect(last.left[0]?.period.end?.toISOString()).to.equal(new Date(after).toISOString());
      expect(await codeOf(allowance.charge(caller('key'), rotate, 'route'))).to.equal('ACCOUNT_LINK_REQUIRED');
      now = new Date(after);
      const next = await allowance.charge(caller('key'), rotate, 'route');
      // Units taken in the old period are settled in that period.
      await last.refund();
      expect(await allowance.usage(), period).to.include({ used: 1, pending: 1 });
      await next.refund();
      await allowance.close();
    }
  });

  it('drops to 0 on a reset, which forgives running calls', async () => {
    const allowance = open({ server: 2 });
    const running = await allowance.charge(caller('key'), rotate, 'route');
    await (await allowance.charge(caller('key'), rotate, 'route')).settle();
    await allowance.reset();
    expect(await allowance.usage()).to.include({ used: 0, pending: 0 });
    const next = await allowance.charge(caller('key'), rotate, 'route');
    await running.refund();
    expect(await allowance.usage()).to.include({ used: 1, pending: 1 });
    await next.settle();
    expect((await allowance.usage()).byUser[0]?.units).to.equal(1);
  });

  it('gives each team its credits and cap on the cloud, and reports its numbers when they are used up', async () => {
    const teams: Record<string, string> = { 7: 'red', 8: 'red', 9: 'blue' };
    const allowance = open(
      { hosting: 'cloud', period: 'month', credits: 2, spendCap: 1 },
      { teamOf: async ({ id }) => teams[id] },
    );
    for (const id of ['7', '8', '7']) await (await allowance.charge(caller('key', { id }), rotate, 'route')).settle();
    const { code, data } = await refusalOf(allowance.charge(caller('key', { id: '8' }), rotate, 'route'));
    expect(code).to.equal('PAYG_LIMIT_REACHED');
    expect(data).to.deep.equal({
      subscribed: true,
      state: 'LIMIT',
      spendUnits: 3,
      capUnits: 3,
      periodEnd: '2026-12-01T00:00:00.000Z',
    });
    expect(await codeOf(allowance.charge(caller('key', { id: '9' }), rotate, 'route'))).to.equal('passed');
    expect(await codeOf(allowance.charge(caller('key', { id: '10' }), rotate, 'route'))).to.equal('passed');
    expect((await allowance.usage()).byAccount).to.have.deep.members([
      { account: 'team:red', used: 3 },
      { account: 'team:blue', used: 1 },
      { account: 'user:10', used: 1 },
    ]);
    // The refused call took nothing from the server's allowance either.
    expect((await allowance.usage()).used).to.equal(5);
    expect(await allowance.standing(caller('key', { id: '9' }))).to.include({
      state: 'ACTIVE',
      spendUnits: 1,
      capUnits: 3,
    });
  });

  it('has no cap for a team that subscribed without a cap', async () => {
    const allowance = open({ hosting: 'cloud', credits: 1, spendCap: null });
    for (let i = 0; i < 5; i++) await (await allowance.charge(caller('key'), rotate, 'route')).settle();
    expect(await allowance.standing(caller('key'))).to.deep.equal({ subscribed: true, state: 'ACTIVE', spendUnits: 5 });
  });

  it('asks callers without an account to sign up on the cloud, with the category of the call', async () => {
    const allowance = open({ hosting: 'cloud' });
    const cases = [
      ['general/rotate-pdf', 'route', 'API'],
      ['ai/tools/summary', 'route', 'AI'],
      ['ai/tools/summary', 'pipeline', 'AUTOMATION'],
    ] as const;
    for (const [operation, origin, category] of cases) {
      for (const ask of ['charge', 'check'] as const) {
        expect(await refusalOf(allowance[ask](anonymous, [{ operation, cost: 1 }], origin))).to.deep.include({
          code: 'SIGNUP_REQUIRED',
          data: { category },
        });
      }
    }
  });
});

describeStores('two servers on one allowance', (make: () => Promise<TemporaryStore>) => {
  it('shares the remaining units between servers, each of which refunds only its own', async function () {
    const home = await make();
    // An embedded store has one owner, so the two servers are two parts of one process here.
    const one = await home.open();
    const other = one.kind === 'mongodb' ? await home.open() : one;
    const open = (store: Store): Allowance =>
      createAllowance({ store, limits: { ...shipped, server: 30 }, clock: { now: () => new Date() }, log });
    const [a, b] = [open(one), open(other)];
    await a.open();
    await b.open();
    const both = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? a : b).charge(caller('key'), rotate, 'route').catch((error: Refusal) => error.code),
      ),
    );
    const charges = both.filter((charge) => typeof charge !== 'string');
    expect(charges).to.have.length(30);
    await Promise.all(charges.slice(0, 10).map((charge) => charge.refund()));
    await Promise.all(charges.slice(10).map((charge) => charge.settle()));
    expect(await a.usage()).to.include({ used: 20, pending: 0 });
    expect(await b.usage()).to.deep.equal(await a.usage());
    await a.close();
    await b.close();
    if (other !== one) await other.close();
    await one.close();
    await home.remove();
  });
});
