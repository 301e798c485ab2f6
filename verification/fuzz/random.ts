/** A pseudo-random number generator (mulberry32): the same seed gives the same numbers on every machine. */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => Math.imul(state ^ seed, 0x9e37_79b1) + 0x7f4a_7c15, 1) >>> 0;
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  /** Returns an item of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns true with probability 1/`times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }
}
