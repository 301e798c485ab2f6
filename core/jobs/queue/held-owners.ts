/** Owners whose waiting jobs are not taken from the queue for a while: as many of their jobs run as may run at once. */
export class HeldOwners {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Holds the jobs of an owner for this time, then calls `over`; `release` ends it earlier, without the call. */
  hold(owner: string, ms: number, over: () => void): void {
    this.release(owner);
    const timer = setTimeout(() => {
      this.#timers.delete(owner);
      over();
    }, ms).unref();
    this.#timers.set(owner, timer);
  }

  release(owner: string): void {
    clearTimeout(this.#timers.get(owner));
    this.#timers.delete(owner);
  }

  releaseAll(): void {
    for (const owner of this.#timers.keys()) this.release(owner);
  }

  has(owner: string | undefined): boolean {
    return owner !== undefined && this.#timers.has(owner);
  }

  list(): readonly string[] {
    return [...this.#timers.keys()];
  }
}
