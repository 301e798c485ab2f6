import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Logger } from '@quire/registry';
import { isDuplicateRecord, type Identified, type Records, type Store } from '../store/index.js';
import {
  isDoneInSession,
  isKept,
  type AuditData,
  type AuditEvent,
  type AuditFilter,
  type AuditStatistics,
  type AuditType,
} from './event.js';
import { exportEvents, type ExportFormat } from './export-events.js';

export interface AuditLogDeps {
  readonly store: Pick<Store, 'records'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** 1 to 3, an index of `auditLevels`. */
  readonly level: number;
  /** How many days events are kept; 0 or less keeps them for ever. */
  readonly retentionDays: number;
  /** Most events that wait for the store; default 10 000. */
  readonly mostWaiting?: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FLUSH_MS = 2000;
/** Delay after a failure. */
const RETRY_MS = 10_000;
const MOST_WAITING = 10_000;
/** Events written at once: enough for a shared store with slow round trips, few enough not to disturb other work. */
const AT_ONCE = 25;
/** Events read at once. */
const BATCH = 500;
/** Most events that are read for statistics. */
const MOST_SUMMED = 100_000;

/**
 * Stores events of all servers on a store. An embedded store runs in this process, so long work pauses regularly for
 * other work. Methods that read or delete reject with STORE_DOWN; `record` never fails.
 */
export class AuditLog {
  readonly level: number;
  readonly retentionDays: number;
  readonly #events: Records<AuditEvent>;
  readonly #sweeps: Records<Identified>;
  readonly #waiting: AuditEvent[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #sweeper: NodeJS.Timeout | undefined;
  #last = 0;
  #count = 0;
  #dropped = 0;
  #droppedLogged = 0;

  constructor(private readonly deps: AuditLogDeps) {
    this.level = deps.level;
    this.retentionDays = deps.retentionDays;
    this.#events = deps.store.records<AuditEvent>('audit_events', {
      keys: ['type', 'principal', ['type', 'web'], ['principal', 'web']],
    });
    this.#sweeps = deps.store.records<Identified>('audit_sweeps');
  }

  /** Number of events of this server that were never written, because too many waited for the store. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of events that wait to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Queues an event if the level includes its type. */
  record(type: AuditType, principal: string, data: AuditData): void {
    if (!isKept(type, this.level)) return;
    if (this.#waiting.length >= (this.deps.mostWaiting ?? MOST_WAITING)) {
      this.#dropped++;
      return;
    }
    const now = this.deps.clock.now();
    this.#waiting.push({
      id: this.#newId(now.getTime()),
      timestamp: now.toISOString(),
      principal,
      type,
      data,
      ...(isDoneInSession(type, data) ? { web: 'done' } : {}),
    });
    this.#schedule(FLUSH_MS);
  }

  /** Starts the regular clean-up: once a day one of the servers on the store removes expired events. */
  start(): void {
    const sweep = (): void =>
      void this.sweep().catch((error: unknown) =>
        this.deps.log.warn({ err: error }, 'expired audit events could not be removed; the server will try again'),
      );
    sweep();
    this.#sweeper = setInterval(sweep, HOUR_MS).unref();
  }

  /** Writes waiting events; those that cannot be written stay in the queue. Rejects with STORE_DOWN. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#inTurn(() => this.#write(this.#waiting.length));
  }

  /** Call before the store is closed. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.flush().catch((error: unknown) =>
      this.deps.log.warn(
        { err: error, lost: this.#waiting.length },
        'the last audit events could not be written and are lost',
      ),
    );
    clearTimeout(this.#timer);
  }

  /** Returns a page of the selected events, newest first, and the number of all selected ones. `page` counts from 0. */
  async page(
    filter: AuditFilter,
    page: number,
    size: number,
  ): Promise<{ readonly events: readonly AuditEvent[]; readonly total: number }> {
    const total = await this.count(filter);
    const limit = Math.min(size, total - page * size);
    if (limit <= 0) return { events: [], total };
    return {
      events: await this.#events.find(whereOf(filter), {
        sort: newestFirst,
        skip: page * size,
        limit,
        ...untilOf(filter),
      }),
      total,
    };
  }

  async count(filter: AuditFilter): Promise<number> {
    await this.flush();
    // Queries have an upper bound only, so subtract the number of events before the range.
    const [until, before] = await Promise.all([
      this.#events.count(whereOf(filter), untilOf(filter)),
      filter.from === undefined || filter.from <= 0
        ? 0
        : this.#events.count(whereOf(filter), { atMost: { id: endOf(filter.from - 1) } }),
    ]);
    return Math.max(0, until - before);
  }

  /** Returns statistics of the selected events; if there are very many, of the newest ones. */
  async statistics(filter: AuditFilter): Promise<AuditStatistics> {
    const totalEvents = await this.count(filter);
    const [byType, byPrincipal, byDay] = [
      new Map<string, number>(),
      new Map<string, number>(),
      new Map<string, number>(),
    ];
    let seen = 0;
    for await (const { type, principal, timestamp } of this.#newest(filter)) {
      if (++seen > MOST_SUMMED) break;
      for (const [sums, key] of [
        [byType, type],
        [byPrincipal, principal],
        [byDay, timestamp.slice(0, 10)],
      ] as const)
        sums.set(key, (sums.get(key) ?? 0) + 1);
    }
    return {
      totalEvents,
      byType: mostFirst(byType),
      byPrincipal: mostFirst(byPrincipal),
      byDay: new Map([...byDay].sort()),
      complete: seen <= MOST_SUMMED,
    };
  }

  /** Returns how many of these accounts were used in a session since `from`. */
  async seenInSessions(names: readonly string[], from: number): Promise<number> {
    await this.flush();
    let seen = 0;
    for (let first = 0; first < names.length; first += AT_ONCE, await nextTurn()) {
      const found = await Promise.all(
        names
          .slice(first, first + AT_ONCE)
          .map((principal) => this.#events.findOne({ principal, web: 'done' }, { sort: newestFirst })),
      );
      seen += found.filter((event) => event !== undefined && Date.parse(event.timestamp) >= from).length;
    }
    return seen;
  }

  /** Returns how often documents were processed or files stored in sessions. */
  async processedInSessions(): Promise<number> {
    await this.flush();
    const counts = (['PDF_PROCESS', 'FILE_OPERATION'] as const).map((type) =>
      this.#events.count({ type, web: 'done' }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Returns the selected events as a file, newest first. */
  async export(filter: AuditFilter, format: ExportFormat): Promise<Readable> {
    await this.flush();
    return exportEvents(this.#newest(filter), format);
  }

  /** Deletes events before a time; returns their number. */
  async deleteBefore(time: number): Promise<number> {
    await this.flush();
    let deleted = 0;
    // Delete an hour at a time, so that other calls can run in between.
    for (; ; await nextTurn()) {
      const oldest = (await this.#events.findOne({}, { sort: [{ field: 'id', order: 'ascending' }] }))?.timestamp;
      if (oldest === undefined || Date.parse(oldest) >= time) return deleted;
      const gone = await this.#events.deleteMany(
        {},
        { atMost: { id: endOf(Math.min(time - 1, Date.parse(oldest) + HOUR_MS)) } },
      );
      // Another server was quicker.
      if (gone === 0) return deleted;
      deleted += gone;
    }
  }

  /** Deletes every event; returns their number. */
  clear(): Promise<number> {
    return this.deleteBefore(this.deps.clock.now().getTime() + DAY_MS);
  }

  /** Removes expired events, unless another server did so today; returns their number. */
  async sweep(): Promise<number> {
    if (this.retentionDays <= 0) return 0;
    const now = this.deps.clock.now().getTime();
    const mine = `sweep ${dayOf(now)}`;
    try {
      await this.#sweeps.insert({ id: mine });
    } catch (error) {
      if (isDuplicateRecord(error)) return 0;
      throw error;
    }
    try {
      const deleted = await this.deleteBefore(now - this.retentionDays * DAY_MS);
      await this.#sweeps.deleteMany({}, { atMost: { id: `sweep ${dayOf(now - DAY_MS)}` } });
      return deleted;
    } catch (error) {
      await this.#sweeps.delete(mine).catch(() => undefined);
      throw error;
    }
  }

  async *#newest(filter: AuditFilter): AsyncGenerator<AuditEvent> {
    const { from = 0 } = filter;
    let options = untilOf(filter);
    for (let last = ''; ; await nextTurn()) {
      const found = await this.#events.find(whereOf(filter), { sort: newestFirst, limit: BATCH, ...options });
      for (const event of found) {
        if (Date.parse(event.timestamp) < from) return;
        // The bound is inclusive: each batch starts with the last event of the previous one.
        if (event.id !== last) yield event;
      }
      const end = found.at(-1)?.id;
      if (end === undefined || found.length < BATCH) return;
      last = end;
      options = { atMost: { id: end } };
    }
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        this.deps.log.warn(
          { err: error, waiting: this.#waiting.length },
          'audit events could not be written; the server will try again',
        );
        this.#schedule(RETRY_MS);
      });
    }, ms).unref();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#writing.then(work);
    this.#writing = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }

  async #write(most: number): Promise<void> {
    for (let left = most; left > 0 && this.#waiting.length > 0; left -= AT_ONCE) {
      if (left < most) await nextTurn();
      const batch = this.#waiting.slice(0, AT_ONCE);
      const outcomes = await Promise.allSettled(batch.map((event) => this.#events.insert(event)));
      // A duplicate is an event that was written before, although the response was lost.
      const faults = outcomes.map((outcome) =>
        outcome.status === 'rejected' && !isDuplicateRecord(outcome.reason)
          ? { error: outcome.reason as unknown }
          : undefined,
      );
      this.#waiting.splice(0, batch.length, ...batch.filter((_, at) => faults[at] !== undefined));
      const fault = faults.find((one) => one !== undefined);
      if (fault !== undefined) throw fault.error;
    }
    if (this.#dropped === this.#droppedLogged) return;
    this.deps.log.warn(
      { dropped: this.#dropped - this.#droppedLogged },
      'audit events were dropped because the store was unreachable or too slow',
    );
    this.#droppedLogged = this.#dropped;
  }

  /** Returns a sortable id: time, a counter within the millisecond, and a random part that distinguishes servers. */
  #newId(time: number): string {
    this.#count = time === this.#last ? this.#count + 1 : 0;
    this.#last = time;
    return `${padded(time)}-${this.#count.toString(36).padStart(4, '0')}-${randomBytes(6).toString('hex')}`;
  }
}

const newestFirst = [{ field: 'id', order: 'descending' }] as const;
const padded = (time: number): string => String(Math.max(0, time)).padStart(15, '0');
/** Sorts after every id of this millisecond: a tilde is greater than digits, letters and hyphens. */
const endOf = (time: number): string => `${padded(time)}~`;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const untilOf = ({ to }: AuditFilter): { readonly atMost?: { readonly id: string } } =>
  to === undefined ? {} : { atMost: { id: endOf(to) } };
const whereOf = ({ type, principal }: AuditFilter) => ({
  ...(type === undefined ? {} : { type }),
  ...(principal === undefined ? {} : { principal }),
});
const mostFirst = (sums: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...sums].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)));
