/** A bounded number of places, given in the order in which they were asked for. */
export class Places {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** `most` is asked at every turn, so that it may change; undefined sets no bound. */
  constructor(private readonly most: () => number | undefined) {}

  /** Does the work when there is a place for it. Rejects with the signal's reason while it waits. */
  async with<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#taken--;
      this.#admit();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
      this.#admit();
    });
  }

  /** Assigns free places to waiting callers in order. */
  #admit(): void {
    while (this.#waiting.length > 0 && this.#taken < (this.most() ?? Infinity)) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }
}
