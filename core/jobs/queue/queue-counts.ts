import type { Records } from '../../store/index.js';
import type { JobRecord } from '../job-record.js';

/** Most jobs whose position is cached at once. */
const mostPlaces = 10_000;
/** How long a count is reused while few jobs wait, ms. */
const fewKeptMs = 2000;

interface Count {
  value: Promise<number>;
  readonly atMs: number;
}

/**
 * Counts the waiting jobs, and the position of each. On a shared store a count is reused for `keepMs`: clients poll
 * their waiting jobs, and each poll would count the whole queue. With 0 nothing is cached.
 */
export class QueueCounts {
  readonly #jobs: Records<JobRecord>;
  readonly #keepMs: number;
  #waiting: Count | undefined;
  #known: number | undefined;
  readonly #places = new Map<string, Count>();

  constructor(jobs: Records<JobRecord>, keepMs: number) {
    this.#jobs = jobs;
    this.#keepMs = keepMs;
  }

  /** Returns the number of waiting jobs. Rejects with STORE_DOWN. */
  waiting(): Promise<number> {
    this.#waiting = this.#fresh(
      this.#waiting,
      async () => (this.#known = await this.#jobs.count({ status: 'queued' })),
    );
    return this.#waiting.value;
  }

  /**
   * Returns the last count, whatever its age; a stale one is refreshed in the background, and one below `few` (with the
   * jobs that this server has added since) seldom. Undefined before the first count, and when nothing is cached.
   */
  lastWaiting(few: number): number | undefined {
    if (this.#keepMs <= 0) return undefined;
    const known = this.#known;
    const age = performance.now() - (this.#waiting?.atMs ?? -Infinity);
    if (known === undefined || known >= few || age >= fewKeptMs) this.waiting().catch(() => undefined);
    return known;
  }

  /** Adds one waiting job: the count includes this server's own jobs at once. */
  joined(): void {
    if (this.#known !== undefined) this.#known += 1;
    const count = this.#waiting;
    if (count === undefined) return;
    count.value = count.value.then((n) => n + 1);
    // If the store is lost while counting, only callers that await the count see the error.
    count.value.catch(() => undefined);
  }

  /** Returns the 0-based position of a waiting job. Rejects with STORE_DOWN. */
  async place({ id, rank, createdAtMs }: JobRecord): Promise<number> {
    if (this.#places.size > mostPlaces) this.#places.clear();
    const place = this.#fresh(this.#places.get(id), () =>
      this.#jobs.count({ status: 'queued' }, { atMost: rank === undefined ? { createdAtMs } : { rank } }),
    );
    if (this.#keepMs > 0) this.#places.set(id, place);
    return Math.max(0, (await place.value) - 1);
  }

  /** Forgets the position of a job that no longer waits. */
  left(id: string): void {
    this.#places.delete(id);
  }

  #fresh(kept: Count | undefined, count: () => Promise<number>): Count {
    const now = performance.now();
    if (kept && now - kept.atMs < this.#keepMs) return kept;
    const value = count();
    // A failed count is not cached: the next caller asks the store again.
    const made = { value, atMs: now };
    value.catch(() => Object.assign(made, { atMs: -Infinity }));
    return made;
  }
}
