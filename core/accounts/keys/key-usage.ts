import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Records } from '../../store/index.js';
import { dayOf, monthStart, type KeyDayRecord, type KeyRecord, type KeyUsage } from './model.js';

/** Longest time that a count is only in memory, ms. */
const FLUSH_MS = 5000;

interface Pending {
  total: number;
  /** Uses by day. */
  readonly days: Map<string, number>;
  lastUsedAtMs: number;
}

/**
 * Counts the use of keys. A use is counted in memory; the counts are added to the store every five seconds and at the
 * end, by atomic increments, so that servers that share a store count together.
 */
export class KeyUsageMeter {
  #pending = new Map<string, Pending>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly keys: Records<KeyRecord>,
    private readonly days: Records<KeyDayRecord>,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Counts one use. */
  used(keyId: string): void {
    const now = this.clock.now().getTime();
    const day = dayOf(now);
    let pending = this.#pending.get(keyId);
    if (pending === undefined) this.#pending.set(keyId, (pending = { total: 0, days: new Map(), lastUsedAtMs: now }));
    pending.total += 1;
    pending.days.set(day, (pending.days.get(day) ?? 0) + 1);
    pending.lastUsedAtMs = now;
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Waits for counts that are being written: until then they are neither in memory nor in the store. */
  settled(): Promise<void> {
    return this.#flushing;
  }

  /** Returns the use of a key until now, whether written or not. `record` must be read after `settled`. */
  async of(record: KeyRecord): Promise<KeyUsage> {
    const now = this.clock.now().getTime();
    const [today, first] = [dayOf(now), monthStart(now)];
    const rows = (
      await this.days.find({ keyId: record.id }, { sort: [{ field: 'day', order: 'descending' }], limit: 30 })
    ).filter(({ day }) => day >= first);
    const pending = this.#pending.get(record.id);
    const waiting = [...(pending?.days ?? [])];
    const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
    return {
      today: sum(rows.filter(({ day }) => day === today).map(({ count }) => count)) + (pending?.days.get(today) ?? 0),
      month:
        sum(rows.map(({ count }) => count)) + sum(waiting.filter(([day]) => day >= first).map(([, count]) => count)),
      total: record.usageTotal + (pending?.total ?? 0),
      lastUsedAtMs: pending?.lastUsedAtMs ?? record.lastUsedAtMs,
    };
  }

  /** Adds new counts to the store; those that cannot be added are kept for the next time. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const batch = this.#pending;
    this.#pending = new Map();
    for (const [keyId, pending] of batch) {
      try {
        const known = await this.keys.update(keyId, {
          inc: { usageTotal: pending.total },
          set: { lastUsedAtMs: pending.lastUsedAtMs },
        });
        if (known === undefined) continue;
        pending.total = 0;
        for (const [day, count] of pending.days) {
          await this.#add(keyId, day, count);
          pending.days.delete(day);
        }
        await this.days.deleteMany({ keyId }, { atMost: { day: dayOf(pending.lastUsedAtMs - 31 * 86_400_000) } });
      } catch (error) {
        this.#giveBack(keyId, pending);
        this.log.warn({ err: error }, 'uses of an API key could not be written; the server will try again');
      }
    }
  }

  async #add(keyId: string, day: string, count: number): Promise<void> {
    const id = `${keyId}:${day}`;
    if ((await this.days.update(id, { inc: { count } })) !== undefined) return;
    try {
      await this.days.insert({ id, keyId, day, count });
    } catch (error) {
      if (!isDuplicateRecord(error)) throw error;
      // Another server inserted the record first.
      await this.days.update(id, { inc: { count } });
    }
  }

  #giveBack(keyId: string, lost: Pending): void {
    const pending = this.#pending.get(keyId);
    if (pending === undefined) this.#pending.set(keyId, lost);
    else {
      pending.total += lost.total;
      for (const [day, count] of lost.days) pending.days.set(day, (pending.days.get(day) ?? 0) + count);
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }
}
