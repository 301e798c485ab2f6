import type { BigIntStats } from 'node:fs';

/** When a file counts as complete (settings `autoPipeline.fileReadiness`). */
export interface Readiness {
  readonly enabled: boolean;
  /** How long the file must be unchanged, ms. */
  readonly settleMs: number;
  /** Shortest time between two checks that find the same size, ms. */
  readonly sizeCheckMs: number;
  /** Lower case, without dot; empty for all. */
  readonly extensions: readonly string[];
}

/** Compared to detect changes of a file. */
export type FileMark = string;

/**
 * Returns size and modification time as one text. Not the inode number: some network shares change it with every
 * rename.
 */
export function markOf({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): FileMark {
  return `${size}:${mtimeNs}`;
}

/** Returns true if the file's extension is allowed. */
export function extensionAllowed(name: string, { extensions }: Readiness): boolean {
  return extensions.length === 0 || extensions.includes(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

interface Observation {
  readonly mark: FileMark;
  /** When the file was first found with this mark, monotonic ms. */
  readonly since: number;
  /** How long it had been unchanged at that time according to its own times, ms. */
  readonly age: number;
}

/**
 * Remembers how long the files of one folder have been unchanged. It counts with the monotonic clock; the file's own
 * times can only add to that, so a wrong clock (network shares, times in the future) delays a file by the settle time
 * at most.
 */
export class SettleWatch {
  #seen = new Map<string, Observation>();

  constructor(private readonly readiness: Readiness) {}

  /**
   * Returns the ms until the file may be complete; 0 when it is. `nowMs` is the wall clock, `tick` the monotonic clock.
   */
  observe(name: string, stats: BigIntStats, nowMs: number, tick: number): number {
    const { enabled, settleMs, sizeCheckMs } = this.readiness;
    if (!enabled) return 0;
    const mark = markOf(stats);
    let seen = this.#seen.get(name);
    if (seen?.mark !== mark) {
      // A copy may keep the times of its source; the change time is the file's own.
      const age = nowMs - Number((stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs) / 1_000_000n);
      seen = { mark, since: tick, age: Math.max(0, age) };
      this.#seen.set(name, seen);
    }
    const watched = tick - seen.since;
    return Math.max(0, settleMs - watched - seen.age, sizeCheckMs - watched);
  }

  /** Forgets files that no longer exist. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
  }
}
