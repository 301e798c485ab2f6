import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records } from '../store/index.js';

/** Calls of one route on one day. */
export interface EndpointDayRecord extends Identified {
  /** `<day> <route>`. */
  readonly id: string;
  /** `2026-11-22`, in UTC. */
  readonly day: string;
  /** The route's pattern with the context path. */
  readonly endpoint: string;
  readonly visits: number;
}

export interface EndpointVisits {
  readonly endpoint: string;
  readonly visits: number;
}

/** Days that counts are kept by default. */
export const MOST_DAYS = 365;
const FLUSH_MS = 30_000;
const AT_ONCE = 8;
const DAY_MS = 86_400_000;

/**
 * Counts calls by route and day for all servers on a store. Counts are collected in memory and written every half
 * minute, on `close`, and before they are read here; a server that is killed loses the counts since the last write.
 */
export class EndpointDays {
  readonly #pending = new Map<string, { readonly day: string; readonly endpoint: string; visits: number }>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #sweptOn = '';

  constructor(
    private readonly deps: {
      readonly records: Records<EndpointDayRecord>;
      readonly clock: Clock;
      readonly log: Logger;
      /** Older counts are removed. */
      readonly keepDays?: number;
    },
  ) {}

  /** Counts a call without waiting for the store. */
  count(endpoint: string): void {
    const day = dayOf(this.deps.clock.now().getTime());
    const id = `${day} ${endpoint}`;
    const entry = this.#pending.get(id) ?? { day, endpoint, visits: 0 };
    entry.visits++;
    this.#pending.set(id, entry);
    this.#timer ??= setTimeout(
      () =>
        void this.flush().catch((error: unknown) =>
          this.deps.log.warn({ err: error }, 'counts of calls could not be written and will be retried'),
        ),
      FLUSH_MS,
    ).unref();
  }

  /**
   * Returns the calls of the last `days` days including today, but without the last `skipped`, by route: most first,
   * then by name. Rejects with STORE_DOWN.
   */
  async since(days: number, skipped = 0): Promise<EndpointVisits[]> {
    await this.flush();
    const now = this.deps.clock.now().getTime();
    const wanted = Array.from({ length: Math.max(days - skipped, 0) }, (_, i) => dayOf(now - (i + skipped) * DAY_MS));
    const sums = new Map<string, number>();
    for (let first = 0; first < wanted.length; first += AT_ONCE) {
      const found = await Promise.all(
        wanted.slice(first, first + AT_ONCE).map((day) => this.deps.records.find({ day })),
      );
      for (const { endpoint, visits } of found.flat()) sums.set(endpoint, (sums.get(endpoint) ?? 0) + visits);
    }
    return [...sums]
      .map(([endpoint, visits]) => ({ endpoint, visits }))
      .sort((a, b) => b.visits - a.visits || (a.endpoint < b.endpoint ? -1 : 1));
  }

  /** Writes the collected counts; counts that cannot be written stay for the next attempt. Rejects with STORE_DOWN. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const mine = this.#writing.then(() => this.#write());
    this.#writing = mine.catch(() => undefined);
    return mine;
  }

  /** Call before the store is closed. */
  async close(): Promise<void> {
    await this.flush().catch((error: unknown) =>
      this.deps.log.warn({ err: error }, 'the last counts of calls are lost'),
    );
  }

  async #write(): Promise<void> {
    // Calls that arrive meanwhile are written next time; otherwise this would never end on a busy server.
    const waiting = [...this.#pending];
    for (const [id, entry] of waiting) {
      const { day, endpoint, visits } = entry;
      await this.#add({ id, day, endpoint, visits });
      entry.visits -= visits;
      if (entry.visits === 0) this.#pending.delete(id);
    }
    const now = this.deps.clock.now().getTime();
    if (this.#sweptOn === dayOf(now)) return;
    await this.deps.records.deleteMany(
      {},
      { atMost: { day: dayOf(now - (this.deps.keepDays ?? MOST_DAYS) * DAY_MS) } },
    );
    this.#sweptOn = dayOf(now);
  }

  async #add(record: EndpointDayRecord): Promise<void> {
    const { records } = this.deps;
    const more = () => records.update(record.id, { inc: { visits: record.visits } });
    if ((await more()) !== undefined) return;
    await records.insert(record).catch(async (error: unknown) => {
      // Another server on this store created the record first.
      if (!isDuplicateRecord(error)) throw error;
      await more();
    });
  }
}

let known = { day: Number.NaN, text: '' };

/** The date in UTC; most calls are of the same day as the one before. */
function dayOf(time: number): string {
  const day = Math.floor(time / DAY_MS);
  if (known.day !== day) known = { day, text: new Date(time).toISOString().slice(0, 10) };
  return known.text;
}
