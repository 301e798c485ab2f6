import type { BigIntStats } from 'node:fs';

/** When a file counts as complete (settings `autoPipeline.fileReadiness`). */
export interface Readiness {
  readonly enabled: boolean;
  /** Ms without a change. */
  readonly settleMs: number;
  /** Least ms between two looks that find the same size. */
  readonly sizeCheckMs: number;
  /** Lower case, without dot; empty: all. */
  readonly extensions: readonly string[];
}

/** What is compared to see that a file stayed as it was. */
export type FileMark = string;

/** Size and time of a file in one text. Not its number: some network shares give a new one with every rename. */
export function markOf({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): FileMark {
  return `${size}:${mtimeNs}`;
}

/** True where the file may be taken by its extension. */
export function extensionAllowed(name: string, { extensions }: Readiness): boolean {
  return extensions.length === 0 || extensions.includes(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

interface Observation {
  readonly mark: FileMark;
  /** Monotonic ms of the first look that found the file so. */
  readonly since: number;
  /** How long it had been unchanged by then, by its own times. */
  readonly age: number;
}

/**
 * Remembers how long the files of one folder have stayed as they are. It counts what it saw with the monotonic clock; a
 * file's own times only add to that, so a clock that is wrong (network shares, times of the future) delays a file by
 * the settle time and no longer.
 */
export class SettleWatch {
  #seen = new Map<string, Observation>();

  constructor(private readonly readiness: Readiness) {}

  /** Ms until the file may be complete; 0 when it is. `nowMs` is the wall clock, `tick` the monotonic one. */
  observe(name: string, stats: BigIntStats, nowMs: number, tick: number): number {
    const { enabled, settleMs, sizeCheckMs } = this.readiness;
    if (!enabled) return 0;
    const mark = markOf(stats);
    let seen = this.#seen.get(name);
    if (seen?.mark !== mark) {
      // A copy may carry the times of its source; the change time is the file's own.
      const age = nowMs - Number((stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs) / 1_000_000n);
      seen = { mark, since: tick, age: Math.max(0, age) };
      this.#seen.set(name, seen);
    }
    const watched = tick - seen.since;
    return Math.max(0, settleMs - watched - seen.age, sizeCheckMs - watched);
  }

  /** Forgets files that are gone. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
  }
}
