/** Shortest time between two searches for work of other nodes, ms. */
const LEAST_LOOK_MS = 50;

/**
 * Returns when to search again for what other nodes add, ms from now; undefined when the poll does it. Work often
 * follows work, so a node whose last job has just ended searches soon, and then after twice the time of quiet.
 */
export function nextLookMs(quietMs: number, pollMs: number): number | undefined {
  const wait = Math.max(LEAST_LOOK_MS, quietMs);
  return wait < pollMs ? wait : undefined;
}

/**
 * Decides when the queue is searched. Agenda searches at every poll; while `waitMs` is more than 0, a search that found
 * nothing is repeated only after that time, or when there is news.
 */
export class SearchPace {
  #news = true;
  #searchedAt = -Infinity;

  constructor(private readonly waitMs: () => number) {}

  /** Something may have been added. */
  news(): void {
    this.#news = true;
  }

  async search<R>(find: () => Promise<R | undefined>): Promise<R | undefined> {
    const now = performance.now();
    if (!this.#news && now - this.#searchedAt < this.waitMs()) return undefined;
    this.#searchedAt = now;
    this.#news = false;
    try {
      const found = await find();
      if (found !== undefined) this.#news = true;
      return found;
    } catch (error) {
      this.#news = true;
      throw error;
    }
  }
}
