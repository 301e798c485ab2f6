import type { BigIntStats } from 'node:fs';
import type { Readiness, SettleWatch } from './readiness.js';
import { filesInUse, lockKey } from './write-locks.js';

/** A file that was found; `key` is its name in the memory of the `SettleWatch`. */
export interface SeenFile {
  readonly key: string;
  readonly stats: BigIntStats;
}

/** A look at files: `nowMs` by the wall clock, `tick` by the monotonic clock. */
export interface Look {
  /** The folder that contains all of the files, with links resolved. */
  readonly folder: string;
  readonly readiness: Readiness;
  readonly watch: SettleWatch;
  readonly nowMs: number;
  readonly tick: number;
}

/** Files by whether they are complete. */
export interface ByCompleteness<T> {
  readonly complete: readonly T[];
  readonly incomplete: readonly T[];
  /** Ms until the next of them may be complete; undefined when there is none. */
  readonly nextMs: number | undefined;
}

/** Delay before the next look at a file that is locked or open for writing, ms. */
const IN_USE_MS = 1000;

/** Tells complete files from those that are still being written. Keeps their order. */
export async function completeFiles<T extends SeenFile>(
  files: readonly T[],
  { folder, readiness, watch, nowMs, tick }: Look,
): Promise<ByCompleteness<T>> {
  const waits = new Map(files.map((file) => [file, watch.observe(file.key, file.stats, nowMs, tick)]));
  const settled = files.some((file) => waits.get(file) === 0);
  const used: ReadonlySet<string> = settled && readiness.enabled ? await filesInUse(folder) : new Set();
  const complete: T[] = [];
  const incomplete: T[] = [];
  let nextMs = Infinity;
  for (const file of files) {
    const wait = waits.get(file) || (used.has(lockKey(file.stats)) ? IN_USE_MS : 0);
    if (wait === 0) complete.push(file);
    else {
      incomplete.push(file);
      nextMs = Math.min(nextMs, wait);
    }
  }
  return { complete, incomplete, nextMs: nextMs === Infinity ? undefined : nextMs };
}
