/** A gate that lets a number of callers through at once and keeps the others in order. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a place; rejects with the signal's reason when it is aborted first. Call the result to leave. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          const at = this.#waiting.indexOf(go);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', leave, { once: true });
        this.#waiting.push(go);
      });
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
