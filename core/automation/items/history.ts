import { setTimeout as pause } from 'node:timers/promises';
import { InputError, type Clock } from '@quire/registry';
import type { JobService } from '../../jobs/index.js';
import type { RunRecord, RunRecords, RunState } from '../runs/run-records.js';
import type { ItemRecord, ItemState } from './item-record.js';
import { itemStates } from './item-record.js';
import type { ItemStore } from './item-store.js';

export interface HistoryDeps {
  readonly items: ItemStore;
  readonly runs: RunRecords;
  readonly clock: Clock;
  /** True when other nodes may change the records. */
  readonly shared: boolean;
  jobs(): Promise<JobService>;
  /** Looks for files that can be worked on. */
  wake(automationId: string): void;
  /** Called after each change that this process sees. */
  touched(automationId: string): void;
}

export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
  /** `offset` of the following page; null on the last. */
  readonly next: number | null;
}

export type ItemCounts = Readonly<Record<ItemState, number>>;

const EVENTS_PAUSE_MS = 1000;
const NEWEST = [
  { field: 'since', order: 'descending' },
  { field: 'id', order: 'descending' },
] as const;
/** Files that one call puts back to work. */
const MOST_RETRIED = 10_000;

/** What became of the files of automations, and what people do about it. */
export class History {
  /** Grows with every change that this process sees. */
  readonly #versions = new Map<string, number>();

  constructor(private readonly deps: HistoryDeps) {}

  touched(automationId: string): void {
    this.#versions.set(automationId, (this.#versions.get(automationId) ?? 0) + 1);
    this.deps.touched(automationId);
  }

  async counts(automationId: string): Promise<ItemCounts> {
    const entries = await Promise.all(
      itemStates.map(async (state) => [state, await this.deps.items.count({ automationId, state })] as const),
    );
    return Object.fromEntries(entries) as ItemCounts;
  }

  /** Files, those that changed last first. */
  async items(automationId: string, { limit, offset }: PageQuery, state?: ItemState): Promise<Page<ItemRecord>> {
    const where = { automationId, ...(state === undefined ? {} : { state }) };
    const entries = await this.deps.items.find(where, { sort: NEWEST, limit, skip: offset });
    const total = await this.deps.items.count(where);
    return { entries, total, next: offset + limit < total ? offset + limit : null };
  }

  /** The first page of the files now, and again after changes, at most once a second. */
  async *events(
    automationId: string,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly counts: ItemCounts; readonly page: Page<ItemRecord> }> {
    let last = '';
    let version: number | undefined;
    while (!signal.aborted) {
      const now = this.#versions.get(automationId) ?? 0;
      if (this.deps.shared || version !== now) {
        version = now;
        const page = await this.items(automationId, { limit, offset: 0 });
        const news = { counts: await this.counts(automationId), page };
        const text = JSON.stringify(news);
        if (text !== last) yield news;
        last = text;
      }
      await pause(EVENTS_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Puts one parked file back to work, or all; returns how many. Throws NOT_FOUND for one that is not parked. */
  async retry(automationId: string, itemId?: string): Promise<number> {
    const { items, clock, wake } = this.deps;
    const where = { automationId, state: 'parked' } as const;
    const one = itemId === undefined ? undefined : await items.get(itemId);
    if (itemId !== undefined && (one?.automationId !== automationId || one.state !== 'parked'))
      throw new InputError('NOT_FOUND');
    const parked = one === undefined ? await items.find(where, { limit: MOST_RETRIED }) : [one];
    let count = 0;
    for (const item of parked) if ((await items.retry(item, clock.now().getTime())) !== undefined) count += 1;
    if (count > 0) wake(automationId);
    this.touched(automationId);
    return count;
  }

  /** Forgets which files were processed; files that are worked on stay. */
  async reset(automationId: string): Promise<number> {
    const count = await this.deps.items.reset(automationId);
    this.touched(automationId);
    return count;
  }

  /** The newest first. */
  async runs(automationId: string, limit: number, before?: number, state?: RunState): Promise<RunRecord[]> {
    return this.deps.runs.list({ automationId, ...(state === undefined ? {} : { state }) }, limit, before);
  }

  /** Cancels a run; its file is parked. Throws NOT_FOUND, JOB_UNKNOWN, JOB_COMPLETE. */
  async cancel(automationId: string, runId: string): Promise<void> {
    const run = await this.deps.runs.get(runId);
    if (run?.automationId !== automationId) throw new InputError('NOT_FOUND');
    await (await this.deps.jobs()).cancel(runId);
  }
}
