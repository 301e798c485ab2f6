import { Unreadable } from './errors.js';

/**
 * Rounds that one opening may cost in all, whatever the file asks for: some seconds of work. Programs write 2000 to 600
 * 000.
 */
const MAX_ROUNDS = 5_000_000;
/** After so many the event loop has its turn. */
const TURN = 20_000;

/** Budget for key derivation rounds: a hostile keystore asks for billions. */
export class Rounds {
  #left = MAX_ROUNDS;

  constructor(readonly signal?: AbortSignal) {}

  /** Uses up rounds. Throws Unreadable if there are not enough left. */
  spend(count: number): void {
    this.signal?.throwIfAborted();
    if (count < 1) throw new Unreadable('asks for no round of key derivation');
    if (count > this.#left) throw new Unreadable(`asks for more than ${MAX_ROUNDS} rounds of key derivation`);
    this.#left -= count;
  }

  /** Does a round so many times without holding the event loop; they were spent before. */
  async repeat(count: number, round: () => void): Promise<void> {
    for (let done = 0; done < count; done++) {
      round();
      if (done % TURN === TURN - 1) {
        await new Promise(setImmediate);
        this.signal?.throwIfAborted();
      }
    }
  }
}
