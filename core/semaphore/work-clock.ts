import { AsyncLocalStorage } from 'node:async_hooks';
import { OperationalError } from '@quire/registry/errors';
import { processTree, type SharedProgram, timesOf } from './processes.js';
import { type ReadTimes, WorkMeter } from './work-meter.js';

/** How long something may work. */
export interface WorkLimit {
  readonly limitMs: number;
  /** How many times the limit it may take in total, time of waiting included. */
  readonly totalTimes: number;
}

/** How often programs are measured: they may end at any time, and their times with them. */
const PROGRAMS_MS = 250;
const LEAST_MS = 10;
/** The longest delay of a timer, about 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

const clocks = new AsyncLocalStorage<WorkClock>();

/**
 * Ends work that takes too long. What counts is work: time in which it waits for its turn (`waitForTurn`) or for a
 * processor does not, up to a multiple of the limit. A clock within another one's work reports to that one too.
 */
export class WorkClock {
  readonly #meter = new WorkMeter();
  readonly #outer = clocks.getStore();
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #programs: NodeJS.Timeout | undefined;

  constructor(private readonly limit: WorkLimit) {
    this.#wake(limit.limitMs);
  }

  /** Aborted with TIMEOUT, unless the clock was stopped before. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Runs work in which this clock is the current one. */
  run<R>(work: () => R): R {
    return clocks.run(this, work);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#programs);
  }

  /** See `waitForTurn`. */
  wait(): () => void {
    const ends = [this.#meter.wait(), this.#outer?.wait()];
    return () => ends.forEach((end) => end?.());
  }

  /** See `measureProgram`. */
  measureProgram(program: number | SharedProgram): () => void {
    return this.#measure(
      typeof program === 'number' ? () => timesOf(processTree(program)) : () => program.times(),
      true,
    );
  }

  /** Measures processes that may wait for programs themselves. */
  measureProcesses(pids: () => readonly number[]): () => void {
    return this.#measure(() => timesOf(pids()), false);
  }

  #measure(read: ReadTimes, program: boolean): () => void {
    const ends = [
      this.#meter.measure(read, program),
      this.#outer === undefined ? undefined : this.#outer.#measure(read, program),
    ];
    if (program) this.#programs ??= setInterval(() => this.#meter.look(), PROGRAMS_MS).unref();
    return () => {
      ends.forEach((end) => end?.());
      if (this.#meter.hasPrograms) return;
      clearInterval(this.#programs);
      this.#programs = undefined;
    };
  }

  #wake(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), Math.min(LONGEST_MS, Math.max(LEAST_MS, ms))).unref();
  }

  #check(): void {
    const { limitMs, totalTimes } = this.limit;
    const [worked, total] = [this.#meter.look(), this.#meter.total];
    const left = Math.min(limitMs - worked, limitMs * totalTimes - total);
    if (left > 0) return this.#wake(left);
    this.stop();
    this.#over.abort(timeout(limitMs, total, worked));
  }
}

/**
 * Call it when the current work begins to wait for its turn, and the result when it has it: that time does not count.
 */
export function waitForTurn(): () => void {
  return clocks.getStore()?.wait() ?? (() => undefined);
}

/**
 * Measures a program that does the current work, with all that it starts, until the result is called: time in which it
 * gets no processor does not count.
 */
export function measureProgram(program: number | SharedProgram): () => void {
  return clocks.getStore()?.measureProgram(program) ?? (() => undefined);
}

/** Returns TIMEOUT for a limit and what was measured, all in ms. */
function timeout(limitMs: number, total: number, worked: number): OperationalError {
  const seconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));
  const waited = Math.round((total - worked) / 1000);
  const measured = { total: seconds(total), waited };
  return new OperationalError('TIMEOUT', {
    seconds: seconds(limitMs),
    ...(waited === 0 ? {} : worked < limitMs ? { ...measured, ceiling: true } : measured),
  });
}
