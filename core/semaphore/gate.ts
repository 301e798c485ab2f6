import { OperationalError } from '@quire/registry/errors';

/** Lets a number of callers through at once; the others wait in their order, in a line of bounded length. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `longest`: how many may wait. */
  constructor(
    places: number,
    private readonly longest = Infinity,
  ) {
    this.#free = places;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a place; call the result to leave. Rejects with QUEUE_FULL when the line is full, and with the signal's
   * reason when it is aborted first.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else {
      if (this.#waiting.length >= this.longest)
        throw new OperationalError('QUEUE_FULL', { seconds: Math.min(60, Math.max(1, this.#waiting.length)) });
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          const at = this.#waiting.indexOf(go);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', leave, { once: true });
        this.#waiting.push(go);
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
