import { setTimeout as pause } from 'node:timers/promises';
import { InputError, type Clock } from '@quire/registry';
import type { JobService } from '../../jobs/index.js';
import type { RunRecord, RunRecords, RunState } from '../runs/run-records.js';
import type { ItemRecord, ItemState, ShownItem } from './item-record.js';
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

/** Files by state, and the first page of them. */
export interface FilesNews {
  readonly counts: ItemCounts;
  readonly page: Page<ShownItem>;
  /** The newest runs: whoever hears of the files reads them again, so a change of them alone is news too. */
  readonly runs: readonly Pick<RunRecord, 'id' | 'state'>[];
}

/** What became of the files of one automation. */
export interface OneHistory {
  items(page: PageQuery, state?: ItemState): Promise<Page<ShownItem>>;
  runs(limit: number, before?: number, state?: RunState): Promise<readonly RunRecord[]>;
  retry(itemId?: string): Promise<number>;
  events(limit: number, signal: AbortSignal): AsyncGenerator<FilesNews>;
}

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

  /** The first page of the files now, and again after changes of files or runs, at most once a second. */
  events(automationId: string, limit: number, signal: AbortSignal): AsyncGenerator<FilesNews> {
    return newsOf(
      async () => ({
        page: await this.items(automationId, { limit, offset: 0 }),
        counts: await this.counts(automationId),
        runs: runsIn(await this.runs(automationId, limit)),
      }),
      this.deps.shared ? undefined : () => this.#versions.get(automationId) ?? 0,
      signal,
    );
  }

  /** The history of one automation. */
  of(id: string): OneHistory {
    return {
      items: (page, state) => this.items(id, page, state),
      runs: (limit, before, state) => this.runs(id, limit, before, state),
      retry: (itemId) => this.retry(id, itemId),
      events: (limit, signal) => this.events(id, limit, signal),
    };
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
    const { jobId } = run;
    const jobs = await this.deps.jobs();
    if (jobId === undefined) {
      await jobs.cancel(runId);
      return;
    }
    // The other files of the job go on without it.
    if (!(await this.deps.runs.cancel(runId))) throw new InputError('JOB_COMPLETE');
    await jobs.cancel(jobId).catch(async (error: unknown) => {
      // Another run of the same job may have been cancelled just before.
      if ((await jobs.get(jobId))?.status !== 'cancelled') throw error;
    });
  }
}

/** What is news of runs. */
export function runsIn(runs: readonly RunRecord[]): FilesNews['runs'] {
  return runs.map(({ id, state }) => ({ id, state }));
}

/** The news now, and again after changes, at most once a second; `version`: undefined if it does not show them all. */
export async function* newsOf(
  read: () => Promise<FilesNews>,
  version: (() => number) | undefined,
  signal: AbortSignal,
): AsyncGenerator<FilesNews> {
  let last = '';
  let seen: number | undefined;
  while (!signal.aborted) {
    const now = version?.();
    if (now === undefined || seen !== now) {
      seen = now;
      const news = await read();
      const text = JSON.stringify(news);
      if (text !== last) yield news;
      last = text;
    }
    await pause(EVENTS_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
