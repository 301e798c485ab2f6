import type { Records } from '../../store/index.js';
import type { JobRecord } from '../job-record.js';

/** Most jobs whose place is remembered at once. */
const mostPlaces = 10_000;

interface Count {
  value: Promise<number>;
  readonly atMs: number;
}

/**
 * How many jobs wait, and how many before one. On a store that many servers share an answer is used again for `keepMs`:
 * clients poll their waiting jobs, and each time the store would count the whole queue. With 0 nothing is kept.
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

  /** Jobs that wait. Rejects with STORE_DOWN. */
  waiting(): Promise<number> {
    this.#waiting = this.#fresh(
      this.#waiting,
      async () => (this.#known = await this.#jobs.count({ status: 'queued' })),
    );
    return this.#waiting.value;
  }

  /**
   * The last count, whatever its age; a stale one is refreshed in the background. Undefined before the first count, and
   * where nothing is kept.
   */
  lastWaiting(): number | undefined {
    const known = this.#known;
    if (this.#keepMs > 0) this.waiting().catch(() => undefined);
    return this.#keepMs > 0 ? known : undefined;
  }

  /** Says that one more waits: this server's own jobs count at once. */
  joined(): void {
    if (this.#known !== undefined) this.#known += 1;
    const count = this.#waiting;
    if (count === undefined) return;
    count.value = count.value.then((n) => n + 1);
    // A store that went away in the middle of counting is told to whoever asks.
    count.value.catch(() => undefined);
  }

  /** The 0-based place of a job that waits. Rejects with STORE_DOWN. */
  async place({ id, rank, createdAtMs }: JobRecord): Promise<number> {
    if (this.#places.size > mostPlaces) this.#places.clear();
    const place = this.#fresh(this.#places.get(id), () =>
      this.#jobs.count({ status: 'queued' }, { atMost: rank === undefined ? { createdAtMs } : { rank } }),
    );
    if (this.#keepMs > 0) this.#places.set(id, place);
    return Math.max(0, (await place.value) - 1);
  }

  /** Forgets the place of a job that waits no more. */
  left(id: string): void {
    this.#places.delete(id);
  }

  #fresh(kept: Count | undefined, count: () => Promise<number>): Count {
    const now = performance.now();
    if (kept && now - kept.atMs < this.#keepMs) return kept;
    const value = count();
    // A store that is away is asked again by the next caller.
    const made = { value, atMs: now };
    value.catch(() => Object.assign(made, { atMs: -Infinity }));
    return made;
  }
}
