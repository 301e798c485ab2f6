import { isDuplicateRecord, type Records } from '../store/index.js';
import type { AttemptRecord } from './account-records.js';

export interface LockSettings {
  /** Number of wrong attempts that locks a key; below 1 it is never locked. */
  readonly attempts: number;
  /** How long wrong attempts count; below 1 until the key is unlocked. */
  readonly minutes: number;
}

/** The result of an attempt and how it counts. */
export interface Judged<T> {
  readonly outcome: 'right' | 'wrong' | 'open';
  readonly value: T;
}

const FOREVER = Number.MAX_SAFE_INTEGER;

/**
 * Counts wrong attempts per key in the store and rejects further ones. Simultaneous attempts cannot exceed the limit:
 * only as many run at once as wrong ones are left; the others wait. The lock works the same for unknown names, so it
 * does not reveal which names exist.
 */
export class AttemptLock {
  readonly #running = new Map<string, { count: number; readonly waiting: (() => void)[] }>();

  constructor(
    private readonly records: Records<AttemptRecord>,
    private readonly settings: LockSettings,
    private readonly now: () => number,
  ) {}

  /** Returns a lock on the same records with this many times the number of attempts. */
  times(factor: number): AttemptLock {
    return new AttemptLock(this.records, { ...this.settings, attempts: this.settings.attempts * factor }, this.now);
  }

  /** Returns the seconds until the next attempt is allowed; 0 if it is allowed now. */
  async lockedFor(key: string): Promise<number> {
    const record = await this.records.get(key);
    return this.#isLocked(record)
      ? Math.ceil((Math.min(record?.until ?? 0, this.now() + 86_400_000) - this.now()) / 1000)
      : 0;
  }

  /**
   * Makes an attempt and counts it: `right` clears earlier wrong ones, `wrong` adds one, `open` changes nothing.
   * Returns undefined when the key is locked. `group`: keys that `forgetGroup` clears together.
   */
  async attempt<T>(key: string, work: () => Promise<Judged<T>>, group?: string): Promise<T | undefined> {
    if (this.settings.attempts < 1) return (await work()).value;
    if (!(await this.#enter(key))) return undefined;
    try {
      const { outcome, value } = await work();
      if (outcome === 'right') await this.forget(key);
      if (outcome === 'wrong') await this.#fail(key, group);
      return value;
    } finally {
      this.#leave(key);
    }
  }

  /** Clears the wrong attempts of a key. */
  async forget(key: string): Promise<void> {
    await this.records.delete(key);
  }

  /** Clears the wrong attempts of all keys of a group. */
  async forgetGroup(group: string): Promise<void> {
    await this.records.deleteMany({ group });
  }

  /** Removes records that no longer count. */
  async sweep(): Promise<void> {
    await this.records.deleteMany({}, { atMost: { until: this.now() } });
  }

  /**
   * Takes a place before the count is read: an attempt that fails meanwhile is then either counted or still running.
   */
  async #enter(key: string): Promise<boolean> {
    for (;;) {
      const running = this.#running.get(key) ?? { count: 0, waiting: [] };
      this.#running.set(key, running);
      const place = (running.count += 1);
      const record = await this.records.get(key).catch((error: unknown) => {
        this.#leave(key);
        throw error;
      });
      const failures = this.#counts(record) ? (record?.failures ?? 0) : 0;
      if (failures + place <= this.settings.attempts) return true;
      if (failures >= this.settings.attempts) {
        this.#leave(key);
        return false;
      }
      running.count -= 1;
      if (running.count > 0) await new Promise<void>((resolve) => running.waiting.push(resolve));
      else this.#wake(key);
    }
  }

  #leave(key: string): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    running.count -= 1;
    this.#wake(key);
  }

  #wake(key: string): void {
    const running = this.#running.get(key);
    for (const wake of running?.waiting.splice(0) ?? []) wake();
    if (running?.count === 0) this.#running.delete(key);
  }

  async #fail(key: string, group: string | undefined): Promise<void> {
    const until = this.settings.minutes < 1 ? FOREVER : this.now() + this.settings.minutes * 60_000;
    for (;;) {
      const record = await this.records.get(key);
      if (record !== undefined && !this.#counts(record)) await this.records.delete(key, { until: record.until });
      if (await this.records.update(key, { inc: { failures: 1 }, set: { until } })) return;
      try {
        await this.records.insert({ id: key, failures: 1, until, ...(group === undefined ? {} : { group }) });
        return;
      } catch (error) {
        // Another server recorded the first failure at the same moment: add this one to it.
        if (!isDuplicateRecord(error)) throw error;
      }
    }
  }

  #counts(record: AttemptRecord | undefined): boolean {
    return record !== undefined && record.until > this.now();
  }

  #isLocked(record: AttemptRecord | undefined): boolean {
    return this.settings.attempts >= 1 && this.#counts(record) && (record?.failures ?? 0) >= this.settings.attempts;
  }
}
