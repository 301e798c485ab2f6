import { performance } from 'node:perf_hooks';

/**
 * Counts the store's time with the monotonic clock: a server whose wall clock jumps neither expires results nor breaks
 * locks. Milliseconds since the epoch, as the store saw it at the last `set`.
 */
export class SteadyClock {
  #base = Date.now();
  #mark = performance.now();

  now(): number {
    return this.#base + (performance.now() - this.#mark);
  }

  /** Takes over the time that all servers on the store share. */
  set(time: Date): void {
    this.#base = time.getTime();
    this.#mark = performance.now();
  }
}
