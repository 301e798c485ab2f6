import { randomUUID } from 'node:crypto';
import { isDuplicateRecord, type Records } from '../store/index.js';

/**
 * What one account used in one period. Units of calls that are still at work stand in `used` already, and once more in
 * the pending field of the server that works on them, in the same record: one atomic change moves both, so a crash
 * between taking and giving back loses nothing.
 */
export interface AccountRecord {
  /** `<account>@<period>`. */
  readonly id: string;
  readonly account: string;
  /** Key of the period (`period.ts`). */
  readonly period: string;
  /** A new one after every reset; what was taken under an older one is forgiven. */
  readonly epoch: string;
  /** Name of the caller, as it was at the last call; missing for other accounts. */
  readonly name?: string;
  /** Units taken. */
  readonly used: number;
  /** Units of calls at work, by server slot. */
  readonly [pending: `p_${string}`]: number;
  /** Units kept, by what they were for. */
  readonly [tally: `t_${string}`]: number;
}

/** Units that were taken and are not settled yet. */
export interface Taken {
  readonly id: string;
  readonly account: string;
  readonly epoch: string;
  readonly slot: string;
  readonly units: number;
  /** What the account has used, this included. */
  readonly used: number;
}

/** Keeps accounts in a store that several servers may share. */
export class AccountBook {
  constructor(private readonly records: Records<AccountRecord>) {}

  /** Takes units, unless the account would then pass its limit: undefined, and nothing was taken. */
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
      // An account that was opened since the change failed is no reason to refuse.
      if (known === undefined) await this.#open(account, period);
      else if (limit !== undefined && known.used + units > limit) return undefined;
    }
  }

  /** Ends what was taken: `kept` of its units stay used, the rest is given back. False when a reset came between. */
  async settle(taken: Taken, kept: number): Promise<boolean> {
    const { id, epoch, slot, units } = taken;
    return (
      (await this.records.update(id, { inc: { used: kept - units, [`p_${slot}`]: -units } }, { epoch })) !== undefined
    );
  }

  /** Adds to the tallies of a caller's account; its `used` grows by `units`. */
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

  /** Units used in a period. */
  async used(account: string, period: string): Promise<number> {
    return (await this.records.get(idOf(account, period)))?.used ?? 0;
  }

  /** All accounts of a period. */
  of(period: string): Promise<AccountRecord[]> {
    return this.records.find({ period });
  }

  /** Gives back what a server took and will never settle, because it is gone; gives the units. */
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

  /** Resets a period. Calls at work are forgiven: their settling finds another epoch. */
  async reset(period: string): Promise<void> {
    await this.records.deleteMany({ period });
  }

  /** Drops periods up to this key. */
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

/** Opens the record set of the accounts. */
export const accountRecords = { name: 'allowance_accounts', options: { keys: ['period'] } } as const;

function idOf(account: string, period: string): string {
  return `${account}@${period}`;
}
