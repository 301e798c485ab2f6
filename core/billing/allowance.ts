import { AccessError, isQuireError, type Clock, type Logger, type Principal } from '@quire/registry';
import type { Standing } from './licence.js';
import type { AccountBook, Taken } from './account-book.js';
import { periodAt, type Period, type PeriodLength } from './period.js';
import type { Left } from './rate-limit-fields.js';
import type { ServerSlot } from '../jobs/cluster/index.js';
import { usageReport, type UsageReport } from './usage.js';

/** Source of a call. */
export type ChargeOrigin = 'route' | 'pipeline' | 'job';

/** One operation of a call: a direct call has one, a pipeline one for each step. */
export interface ChargeItem {
  /** Operation path (`general/rotate-pdf`). */
  readonly operation: string;
  /** Units, as the operation declares (`access.cost`). */
  readonly cost: number;
}

/**
 * The units that a call was charged. The code that returns the result settles it; repeated calls of `settle` and
 * `refund` have no effect.
 */
export interface Charge {
  /** The rest of every limit that applies; empty when none applies. */
  readonly left: readonly Left[];
  /** Keeps the items with these indexes (default: all) and refunds the rest. */
  settle(done?: ReadonlySet<number>): Promise<void>;
  /** Refunds everything: the call was rejected, or the server failed. */
  refund(): Promise<void>;
}

/** Counters since the start, for metrics. */
export interface AllowanceStats {
  /** False while nothing is counted. */
  readonly metered: boolean;
  /** Units of the whole server per period; null for no limit. */
  readonly limit: number | null;
  /** Units used by the whole server, as last read by this process. */
  readonly used: number;
  readonly charged: number;
  readonly refunded: number;
  /** Calls answered 402. */
  readonly refused: number;
}

/** The allowance of a server that may be metered. */
export interface Allowance {
  /** Takes the items' cost, or throws the hosting's 402 error and takes nothing. */
  charge(principal: Principal, items: readonly ChargeItem[], origin: ChargeOrigin): Promise<Charge>;
  /** Throws the error that `charge` would throw now; for work that is queued. */
  check(principal: Principal, items: readonly ChargeItem[], origin: ChargeOrigin): Promise<void>;
  /** Returns the units that this caller's account has used and may use; for 402 answers. */
  standing(principal: Principal): Promise<Standing>;
  /** Returns the usage of the current period. */
  usage(): Promise<UsageReport>;
  /** Resets the current period; running calls are forgiven. */
  reset(): Promise<void>;
  stats(): AllowanceStats;
  /** Refunds calls that were running on stopped servers. Rejects with STORE_DOWN; the next charge tries again. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The operator's limits (settings `licence.*`). Null: no limit. */
export interface AllowanceLimits {
  readonly hosting: 'selfHosted' | 'cloud';
  readonly period: PeriodLength;
  /** Units of the whole server (`licence.allowance`). */
  readonly server: number | null;
  /** Free units of each team, or of each user without one, on the cloud (`licence.credits`). */
  readonly credits: number | null;
  /** Units beyond the credits that are paid for (`licence.spendCap`); 0: nobody is subscribed, null: without a cap. */
  readonly spendCap: number | null;
  /** Count usage even without a limit (`licence.meter`). */
  readonly meter: boolean;
}

export interface AllowanceDeps {
  readonly limits: AllowanceLimits;
  readonly book: AccountBook;
  readonly slot: ServerSlot;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns the team that pays for a caller; undefined when there is none. */
  teamOf?(principal: Principal): Promise<string | undefined>;
}

/** An account that a call is charged to. */
interface Payer {
  readonly account: string;
  /** Name of its limit in the RateLimit fields. */
  readonly policy: string;
  readonly limit: number | undefined;
}

/** The charge of a call that costs nothing. */
export const noCharge: Charge = { left: [], settle: () => Promise.resolve(), refund: () => Promise.resolve() };

/** How long usage of past periods is kept, days. */
const historyDays = 400;

/**
 * Returns true for metered calls: those with an API key and pipeline steps, but not tools that people run in the
 * browser; and requests to the assistant, whoever sends them (`docs/interface/platform.yml`: paths under /api/v1/ai/
 * are billable; those under ai/tools/ are tools).
 */
function isCharged(principal: Principal, origin: ChargeOrigin, items: readonly ChargeItem[]): boolean {
  return (
    origin === 'pipeline' ||
    (principal.via !== 'session' && principal.via !== 'none') ||
    items.some(({ operation }) => /^ai\/(?!tools\/)/.test(operation))
  );
}

/**
 * Returns the category of a call for the breakdown (`docs/interface/platform.yml`: automation before AI before API).
 */
function categoryOf(operation: string, origin: ChargeOrigin): 'AUTOMATION' | 'AI' | 'API' {
  if (origin === 'pipeline') return 'AUTOMATION';
  return operation.startsWith('ai/') ? 'AI' : 'API';
}

/**
 * Counts calls with an API key and pipeline steps against the operator's limits (`docs/interface/platform.yml`, usage
 * allowance answers).
 */
export class MeteredAllowance implements Allowance {
  readonly #metered: boolean;
  #counts = { used: 0, charged: 0, refunded: 0, refused: 0 };
  /** Changes that the store has not accepted yet; after a crash the slot refunds them. */
  #owed: (() => Promise<void>)[] = [];

  constructor(private readonly deps: AllowanceDeps) {
    const { hosting, server, credits, meter } = deps.limits;
    this.#metered = meter || server !== null || (hosting === 'cloud' && credits !== null);
  }

  async charge(principal: Principal, items: readonly ChargeItem[], origin: ChargeOrigin): Promise<Charge> {
    this.#refuseAnonymous(principal, items, origin);
    const units = unitsOf(items);
    if (!this.#metered || units === 0 || !isCharged(principal, origin, items)) return noCharge;
    try {
      return await this.#take(principal, items, origin, units);
    } catch (error) {
      // A self-hosted server keeps working while its meter is broken (`docs/interface/platform.yml`: trouble in the
      // gate lets the call pass).
      if (this.deps.limits.hosting === 'cloud' || (isQuireError(error) && error.code === 'ACCOUNT_LINK_REQUIRED'))
        throw error;
      this.deps.log.warn({ err: error }, 'a call could not be metered and was admitted');
      return noCharge;
    }
  }

  async check(principal: Principal, items: readonly ChargeItem[], origin: ChargeOrigin): Promise<void> {
    this.#refuseAnonymous(principal, items, origin);
    const units = unitsOf(items);
    if (!this.#metered || units === 0 || !isCharged(principal, origin, items)) return;
    const period = this.#period();
    for (const payer of await this.#payers(principal)) {
      if (payer.limit !== undefined && (await this.deps.book.used(payer.account, period.key)) + units > payer.limit)
        throw await this.#exhausted(principal);
    }
  }

  async standing(principal: Principal): Promise<Standing> {
    const { spendCap } = this.deps.limits;
    const period = this.#period();
    const payers = await this.#payers(principal);
    const payer = payers.at(-1) ?? this.#server();
    const used = await this.deps.book.used(payer.account, period.key);
    return {
      subscribed: spendCap !== 0,
      state: payer.limit !== undefined && used >= payer.limit ? 'LIMIT' : 'ACTIVE',
      spendUnits: used,
      ...(payer.limit === undefined ? {} : { capUnits: payer.limit }),
      ...(period.end === null ? {} : { periodEnd: period.end.toISOString() }),
    };
  }

  async usage(): Promise<UsageReport> {
    const { limits, book } = this.deps;
    const period = this.#period();
    return usageReport({
      metered: this.#metered,
      hosting: limits.hosting,
      period,
      length: limits.period,
      limit: limits.server,
      accounts: await book.of(period.key),
    });
  }

  async reset(): Promise<void> {
    await this.deps.book.reset(this.#period().key);
    this.#counts.used = 0;
  }

  stats(): AllowanceStats {
    return { metered: this.#metered, limit: this.deps.limits.server, ...this.#counts };
  }

  async open(): Promise<void> {
    if (!this.#metered) return;
    await this.deps.slot.current();
    const horizon = new Date(this.deps.clock.now().getTime() - historyDays * 86_400_000);
    await this.deps.book.forget(periodAt('day', horizon).key);
    this.#counts.used = await this.deps.book.used(serverAccount, this.#period().key);
  }

  async close(): Promise<void> {
    if (!this.#metered) return;
    await this.#payOwed();
    await this.deps.slot.close();
  }

  async #take(
    principal: Principal,
    items: readonly ChargeItem[],
    origin: ChargeOrigin,
    units: number,
  ): Promise<Charge> {
    const { book, slot } = this.deps;
    const place = await slot.current();
    if (this.#owed.length > 0) await this.#payOwed();
    const period = this.#period();
    const takings: Taken[] = [];
    const left: Left[] = [];
    for (const { account, policy, limit } of await this.#payers(principal)) {
      const taken = await book.take({ account, period: period.key, slot: place, units, limit });
      if (taken === undefined) {
        for (const earlier of takings) await this.#end(earlier, 0);
        throw await this.#exhausted(principal);
      }
      if (account === serverAccount) this.#counts.used = taken.used;
      if (limit !== undefined) left.push({ policy, limit, remaining: limit - taken.used, period });
      takings.push(taken);
    }
    this.#counts.charged += units;
    let over = false;
    const end = async (done?: ReadonlySet<number>): Promise<void> => {
      if (over) return;
      over = true;
      const used = done === undefined ? items : items.filter((_, index) => done.has(index));
      const kept = unitsOf(used);
      this.#counts.refunded += units - kept;
      this.#counts.used -= units - kept;
      const counted = await Promise.all(takings.map((taken) => this.#end(taken, kept)));
      if (kept > 0 && counted[0] === true)
        await this.#safely(() =>
          book.tally({
            account: callerAccount(principal),
            period: period.key,
            name: principal.name,
            units: kept,
            tallies: talliesOf(principal, used, origin),
          }),
        );
    };
    return { left, settle: (done) => end(done), refund: () => end(new Set()) };
  }

  /** Settles taken units; returns false when a reset forgave them. */
  async #end(taken: Taken, kept: number): Promise<boolean> {
    // Another server has already refunded it.
    if (!this.deps.slot.holds(taken.slot)) return false;
    let counted = true;
    await this.#safely(async () => {
      counted = await this.deps.book.settle(taken, kept);
    });
    return counted;
  }

  /** Applies a change now, or when the store is back: a finished call must not fail because of its accounting. */
  async #safely(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!isQuireError(error)) throw error;
      this.#owed.push(change);
    }
  }

  async #payOwed(): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    for (const change of owed) await this.#safely(change);
  }

  async #payers(principal: Principal): Promise<Payer[]> {
    const { limits, teamOf } = this.deps;
    if (limits.hosting !== 'cloud' || limits.credits === null) return [this.#server()];
    const team = await teamOf?.(principal);
    const limit = limits.spendCap === null ? undefined : limits.credits + limits.spendCap;
    return [
      this.#server(),
      { account: team === undefined ? `user:${principal.id}` : `team:${team}`, policy: 'credits', limit },
    ];
  }

  #server(): Payer {
    return { account: serverAccount, policy: 'allowance', limit: this.deps.limits.server ?? undefined };
  }

  /** Returns the hosting's 402 error (`docs/interface/platform.yml`, usage allowance answers). */
  async #exhausted(principal: Principal): Promise<AccessError> {
    this.#counts.refused += 1;
    if (this.deps.limits.hosting === 'selfHosted')
      return new AccessError('ACCOUNT_LINK_REQUIRED', { reason: 'OVER_LIMIT' });
    return new AccessError('PAYG_LIMIT_REACHED', { ...(await this.standing(principal)), state: 'LIMIT' });
  }

  /** Only a self-hosted server admits callers without an account. */
  #refuseAnonymous(principal: Principal, items: readonly ChargeItem[], origin: ChargeOrigin): void {
    if (this.deps.limits.hosting !== 'cloud' || principal.role !== 'anonymous') return;
    throw new AccessError('SIGNUP_REQUIRED', { category: categoryOf(items[0]?.operation ?? '', origin) });
  }

  #period(): Period {
    return periodAt(this.deps.limits.period, this.deps.clock.now());
  }
}

const serverAccount = 'server';

function callerAccount(principal: Principal): string {
  return `caller:${principal.id}`;
}

function unitsOf(items: readonly ChargeItem[]): number {
  return items.reduce((sum, { cost }) => sum + cost, 0);
}

/**
 * Returns units by operation, category and key. Names become field names, in which a dot would be a path to MongoDB.
 */
function talliesOf(
  principal: Principal,
  items: readonly ChargeItem[],
  origin: ChargeOrigin,
): Record<`t_${string}`, number> {
  const tallies: Record<`t_${string}`, number> = {};
  const add = (name: string, units: number): void => {
    const field = `t_${name.replace(/[.$]/g, '_')}` as const;
    tallies[field] = (tallies[field] ?? 0) + units;
  };
  for (const { operation, cost } of items) {
    add(`operation:${operation}`, cost);
    add(`category:${categoryOf(operation, origin)}`, cost);
    add(`key:${principal.keyId ?? principal.via}`, cost);
  }
  return tallies;
}
