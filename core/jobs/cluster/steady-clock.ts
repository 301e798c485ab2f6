import { performance } from 'node:perf_hooks';

/**
 * The store's time, counted with the monotonic clock: a server whose wall clock jumps neither expires results nor
 * breaks locks. In milliseconds since the epoch, based on the last `set`.
 */
export class SteadyClock {
  #base = Date.now();
  #mark = performance.now();

  now(): number {
    return this.#base + (performance.now() - this.#mark);
  }

  /** Sets the current time of the store. */
  set(time: Date): void {
    this.#base = time.getTime();
    this.#mark = performance.now();
  }
}
