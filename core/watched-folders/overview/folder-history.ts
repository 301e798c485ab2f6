import type { Clock } from '@quire/registry';
import { isDuplicateRecord } from '../../store/index.js';
import { fileIdOf } from './as-run-records.js';
import type { FailedFileRecord, FolderRecords, FolderTotalsRecord } from './folder-records.js';
import type { EndedRun } from '../run-report.js';

export interface FolderHistoryDeps {
  readonly records: Pick<FolderRecords, 'runs' | 'failed' | 'totals'>;
  readonly clock: Clock;
  /** Most runs and most failed files that are kept of a folder; default 1000 and 10 000. */
  readonly most?: { readonly runs: number; readonly failed: number };
}

const DAY_MS = 86_400_000;
const RUNS_KEPT_MS = 90 * DAY_MS;
const FAILED_KEPT_MS = 365 * DAY_MS;
const MOST = { runs: 1000, failed: 10_000 };
/** Files and outputs that the record of a run names. */
const MOST_NAMED = 200;
/** Runs of a folder between two clean-ups. */
const RUNS_PER_SWEEP = 20;

/** The runs that have ended, in the store, so that all nodes see the same and a restart loses none. */
export class FolderHistory {
  readonly #untilSweep = new Map<string, number>();

  constructor(private readonly deps: FolderHistoryDeps) {}

  /** Keeps a run. May be repeated: a run that is known is not counted again. Rejects with STORE_DOWN, STORAGE_FULL. */
  async keep({ retryOf, ...run }: EndedRun): Promise<void> {
    const { runs, failed } = this.deps.records;
    const endedAtMs = Date.parse(run.endedAt);
    for (const file of failedOf(run, endedAtMs)) await failed.put(file);
    for (const id of retryOf) await failed.delete(id);
    const bad = run.files.filter(({ status }) => status === 'failed').length;
    const outcome = bad === 0 ? 'done' : bad === run.files.length ? 'failed' : 'partly';
    try {
      await runs.insert({
        ...run,
        files: run.files.slice(0, MOST_NAMED),
        outputs: run.outputs.slice(0, MOST_NAMED),
        ...(run.facts && { facts: { ...run.facts, results: run.facts.results.slice(0, MOST_NAMED) } }),
        fileCount: run.files.length,
        outputCount: run.outputs.length,
        endedAtMs,
        outcome,
        retry: retryOf.length > 0,
      });
    } catch (error) {
      if (isDuplicateRecord(error)) return;
      throw error;
    }
    await this.#count(run.folder, run.files.length - bad, bad, { id: run.id, endedAt: run.endedAt, outcome });
    await this.#sweepSometimes(run.folder);
  }

  /** Removes what is older than its time, of all folders. */
  async sweep(): Promise<void> {
    const { records, clock } = this.deps;
    const now = clock.now().getTime();
    await records.runs.deleteMany({}, { atMost: { endedAtMs: now - RUNS_KEPT_MS } });
    await records.failed.deleteMany({}, { atMost: { failedAtMs: now - FAILED_KEPT_MS } });
  }

  async #count(folder: string, done: number, bad: number, lastRun: FolderTotalsRecord['lastRun']): Promise<void> {
    const { totals } = this.deps.records;
    const day = dayOf(this.deps.clock.now());
    const all = { done, failed: bad };
    const today = { doneToday: done, failedToday: bad };
    for (;;) {
      const known = await totals.get(folder);
      if (known === undefined) {
        try {
          await totals.insert({ id: folder, ...all, ...today, day, lastRun });
          return;
        } catch (error) {
          // Another node was quicker.
          if (!isDuplicateRecord(error)) throw error;
          continue;
        }
      }
      const change =
        known.day === day
          ? { inc: { ...all, ...today }, set: { lastRun } }
          : { inc: all, set: { ...today, day, lastRun } };
      if ((await totals.update(folder, change, { day: known.day })) !== undefined) return;
    }
  }

  async #sweepSometimes(folder: string): Promise<void> {
    const left = this.#untilSweep.get(folder) ?? 0;
    if (left > 0) return void this.#untilSweep.set(folder, left - 1);
    this.#untilSweep.set(folder, RUNS_PER_SWEEP);
    const { runs, failed } = this.deps.records;
    const most = this.deps.most ?? MOST;
    const [run] = await runs.find(
      { folder },
      { sort: [{ field: 'endedAtMs', order: 'descending' }], skip: most.runs, limit: 1 },
    );
    if (run !== undefined) await runs.deleteMany({ folder }, { atMost: { endedAtMs: run.endedAtMs } });
    const [file] = await failed.find(
      { folder },
      { sort: [{ field: 'failedAtMs', order: 'descending' }], skip: most.failed, limit: 1 },
    );
    if (file !== undefined) await failed.deleteMany({ folder }, { atMost: { failedAtMs: file.failedAtMs } });
  }
}

/** The day in UTC, as in `doneToday`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function failedOf(run: Omit<EndedRun, 'retryOf'>, failedAtMs: number): FailedFileRecord[] {
  return run.files.flatMap(({ name, bytes, keptAs, error }, index) =>
    error === undefined || keptAs === undefined
      ? []
      : [
          {
            id: fileIdOf(run.id, index),
            folder: run.folder,
            run: run.id,
            name,
            keptAs,
            bytes,
            failedAt: run.endedAt,
            failedAtMs,
            error,
          },
        ],
  );
}
