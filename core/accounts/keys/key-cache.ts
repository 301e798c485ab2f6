import type { Clock } from '@quire/registry';

/**
 * A revoked key or a disabled user must not be accepted for longer than this, even if another server made the change,
 * ms.
 */
const LIFE_MS = 5000;
const MOST = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Caches what was found for a digest, for five seconds and for at most 10,000 digests. Unknown keys are not cached:
 * guesses would fill the cache, and a new key must work at once.
 */
export class KeyCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  /** Incremented by every drop, so that a lookup that started before one is not cached after it. */
  #drops = 0;

  constructor(private readonly clock: Clock) {}

  get(digest: string): T | undefined {
    const entry = this.#entries.get(digest);
    if (entry === undefined) return undefined;
    if (entry.until > this.clock.now().getTime()) return entry.value;
    this.#entries.delete(digest);
    return undefined;
  }

  /** Looks something up and caches it; the lifetime starts when the lookup starts. */
  async load(digest: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const [began, drops] = [this.clock.now().getTime(), this.#drops];
    const value = await look();
    if (value === undefined || drops !== this.#drops) return value;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < MOST) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(digest, { value, until: began + LIFE_MS });
    return value;
  }

  drop(digest: string): void {
    this.#drops += 1;
    this.#entries.delete(digest);
  }

  dropWhere(matches: (value: T) => boolean): void {
    this.#drops += 1;
    for (const [digest, { value }] of this.#entries) if (matches(value)) this.#entries.delete(digest);
  }
}
