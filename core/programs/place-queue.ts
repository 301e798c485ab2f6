import { OperationalError } from '@quire/registry/errors';

/** A number of places, and a bounded line of those who wait for one, served in order. */
export class PlaceQueue {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number, private readonly longest: number) {
    this.#free = places;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a place; call the result to leave it. Rejects with QUEUE_FULL when the line is full, and with the signal's reason when it is aborted first.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
    } else {
      if (this.#waiting.length >= this.longest) throw new OperationalError('QUEUE_FULL', { seconds: 10 });
      await new Promise<void>((resolve, reject) => {
        const admit = (): void => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(admit), 1);
          reject(signal.reason as Error);
        };
        this.#waiting.push(admit);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      // The place passes on without becoming free, so nobody can slip in between.
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
