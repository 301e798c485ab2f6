import { randomUUID } from 'node:crypto';
import { isDuplicateRecord, type Records } from '../store/index.js';

/**
 * The usage of one account in one period. Units of running calls are counted in `used` and also in the pending field of
 * the server that runs them, in the same record: one atomic change updates both, so a crash between taking and
 * returning units loses nothing.
 */
export interface AccountRecord {
  /** `<account>@<period>`. */
  readonly id: string;
  readonly account: string;
  /** Key of the period (`period.ts`). */
  readonly period: string;
  /** Changes with every reset; units that were taken in an earlier epoch are forgiven. */
  readonly epoch: string;
  /** Name of the caller at the last call; missing for accounts that are not callers. */
  readonly name?: string;
  /** Units taken. */
  readonly used: number;
  /** Units of running calls, by server slot. */
  readonly [pending: `p_${string}`]: number;
  /** Units of finished calls, by tally. */
  readonly [tally: `t_${string}`]: number;
}

/** Units that were taken and not settled yet. */
export interface Taken {
  readonly id: string;
  readonly account: string;
  readonly epoch: string;
  readonly slot: string;
  readonly units: number;
  /** Units that the account has used, including these. */
  readonly used: number;
}

/** Keeps accounts in a store that several servers may share. */
export class AccountBook {
  constructor(private readonly records: Records<AccountRecord>) {}

  /** Takes units. Returns undefined, and takes nothing, when the account would exceed its limit. */
  async take({
    account,
    period,
    slot,
    units,
    limit,
  }: {
    account: string;
    period: string;
    slot: string;
    units: number;
    limit: number | undefined;
  }): Promise<Taken | undefined> {
    const id = idOf(account, period);
    const change = { inc: { used: units, [`p_${slot}`]: units } };
    const bound = limit === undefined ? {} : { atMost: { used: limit - units } };
    for (;;) {
      const after = await this.records.update(id, change, {}, bound);
      if (after !== undefined) return { id, account, epoch: after.epoch, slot, units, used: after.used };
      const known = await this.records.get(id);
      // Another server may have created the account since the update failed; that is not a reason to refuse.
      if (known === undefined) await this.#open(account, period);
      else if (limit !== undefined && known.used + units > limit) return undefined;
    }
  }

  /**
   * Settles taken units: `kept` of them stay used, the rest is returned to the account. Returns false after a reset in
   * between.
   */
  async settle(taken: Taken, kept: number): Promise<boolean> {
    const { id, epoch, slot, units } = taken;
    return (
      (await this.records.update(id, { inc: { used: kept - units, [`p_${slot}`]: -units } }, { epoch })) !== undefined
    );
  }

  /** Adds to the tallies of a caller's account and adds `units` to its `used`. */
  async tally({
    account,
    period,
    name,
    units,
    tallies,
  }: {
    account: string;
    period: string;
    name: string;
    units: number;
    tallies: Readonly<Record<`t_${string}`, number>>;
  }): Promise<void> {
    const id = idOf(account, period);
    while ((await this.records.update(id, { inc: { used: units, ...tallies }, set: { name } })) === undefined)
      await this.#open(account, period);
  }

  /** Returns the units used in a period. */
  async used(account: string, period: string): Promise<number> {
    return (await this.records.get(idOf(account, period)))?.used ?? 0;
  }

  /** Returns all accounts of a period. */
  of(period: string): Promise<AccountRecord[]> {
    return this.records.find({ period });
  }

  /** Returns the units to the accounts that a stopped server took and never settled. Returns their number. */
  async giveBack(slot: string): Promise<number> {
    const field = `p_${slot}` as const;
    let units = 0;
    for (let record of await this.records.find()) {
      for (;;) {
        const pending = record[field] ?? 0;
        if (pending === 0) break;
        const unchanged: Readonly<Record<typeof field, number>> = { [field]: pending };
        if (
          await this.records.update(
            record.id,
            { inc: { used: -pending }, set: { [field]: 0 } },
            { epoch: record.epoch, ...unchanged },
          )
        ) {
          units += pending;
          break;
        }
        const now = await this.records.get(record.id);
        if (now === undefined) break;
        record = now;
      }
    }
    return units;
  }

  /** Resets a period. Running calls are forgiven: when they are settled, the epoch differs. */
  async reset(period: string): Promise<void> {
    await this.records.deleteMany({ period });
  }

  /** Deletes periods up to and including this key. */
  async forget(upTo: string): Promise<number> {
    return this.records.deleteMany({}, { atMost: { period: upTo } });
  }

  async #open(account: string, period: string): Promise<void> {
    await this.records
      .insert({ id: idOf(account, period), account, period, epoch: randomUUID(), used: 0 })
      .catch((error: unknown) => {
        if (!isDuplicateRecord(error)) throw error;
      });
  }
}

/** The record set of the accounts. */
export const accountRecords = { name: 'allowance_accounts', options: { keys: ['period'] } } as const;

function idOf(account: string, period: string): string {
  return `${account}@${period}`;
}
