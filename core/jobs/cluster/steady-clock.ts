import { performance } from 'node:perf_hooks';

/** How long the store's time is counted here before it is asked again, ms. */
const KEPT_MS = 60_000;
/** A difference between the clocks of this machine that only a pause of the machine or a new time explains, ms. */
const JUMP_MS = 500;

/**
 * The store's time, counted with the monotonic clock: a server whose wall clock jumps neither expires results nor
 * breaks locks. In milliseconds since the epoch, based on the last `set`.
 */
export class SteadyClock {
  #base = Date.now();
  #mark = performance.now();
  #apart = Date.now() - this.#mark;
  #isSet = false;

  now(): number {
    return this.#base + (performance.now() - this.#mark);
  }

  /** Sets the current time of the store. */
  set(time: Date): void {
    this.#base = time.getTime();
    this.#mark = performance.now();
    this.#apart = Date.now() - this.#mark;
    this.#isSet = true;
  }

  /** Asks for the time of the store unless it is known from a while ago, and no clock of this machine has jumped. */
  async follow(ask: () => Promise<Date>): Promise<void> {
    const passed = performance.now() - this.#mark;
    const jumped = Math.abs(Date.now() - performance.now() - this.#apart) > JUMP_MS;
    if (!this.#isSet || passed > KEPT_MS || jumped) this.set(await ask());
  }
}
