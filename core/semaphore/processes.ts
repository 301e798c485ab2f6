import { readdirSync, readFileSync } from 'node:fs';

/** What a thread has done since it started, in ms. */
export interface ThreadTime {
  readonly ran: number;
  /** Ready to run, and without a processor. */
  readonly queued: number;
}

/** Deep enough for the processes of a browser that two others confine. */
const DEEPEST = 8;
const NANOSECONDS = 1e6;
const FRESH_MS = 200;

/**
 * Returns the processes that a process has started and that run now; none where the system does not report them.
 * Reads /proc at once: its files are in memory.
 */
export function childrenOf(pid: number): number[] {
  // Children are listed under the thread that started them.
  return threadsOf(pid).flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '')
      .split(' ')
      .filter((text) => text.trim() !== '')
      .map(Number),
  );
}

/** Returns a process and all processes below it, the process itself first. */
export function processTree(pid: number, depth = 0): number[] {
  return depth > DEEPEST ? [] : [pid, ...childrenOf(pid).flatMap((child) => processTree(child, depth + 1))];
}

/**
 * Returns the times of a process's threads by their ids; empty where the system does not report them (Linux kernel,
 * Documentation/scheduler/sched-stats.rst, `/proc/<pid>/schedstat`).
 */
export function threadTimes(pid: number): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const thread of threadsOf(pid)) {
    const [ran, queued] = (read(`/proc/${pid}/task/${thread}/schedstat`) ?? '').split(' ').map(Number);
    if (ran !== undefined && queued !== undefined)
      times.set(thread, { ran: ran / NANOSECONDS, queued: queued / NANOSECONDS });
  }
  return times;
}

/** Times of the threads of several processes, by the threads' ids. */
export function timesOf(pids: readonly number[]): ReadonlyMap<string, ThreadTime> {
  return new Map(pids.flatMap((pid) => [...threadTimes(pid)]));
}

/**
 * A program that many pieces of work use at once, with all that it has started. Looking at the hundred threads of a
 * browser takes milliseconds, so what was seen is used by all who ask within `FRESH_MS`.
 */
export class SharedProgram {
  #seen: ReadonlyMap<string, ThreadTime> = new Map();
  #at = -Infinity;

  constructor(private readonly pid: number) {}

  times(): ReadonlyMap<string, ThreadTime> {
    const now = performance.now();
    if (now - this.#at < FRESH_MS) return this.#seen;
    this.#seen = timesOf(processTree(this.pid));
    this.#at = now;
    return this.#seen;
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the text of a file; undefined if the process has ended meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
