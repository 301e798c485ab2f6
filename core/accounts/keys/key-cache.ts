import type { Clock } from '@quire/registry';

/** A revoked key and a disabled user must not pass for longer than this, also when another server did it, ms. */
const LIFE_MS = 5000;
const MOST = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * What was found for a digest, for five seconds and for at most 10,000 digests. What was not found is not kept: guesses
 * would fill it, and a new key must work at once.
 */
export class KeyCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  /** Grows with every drop, so that a look-up that began before one is not kept after it. */
  #drops = 0;

  constructor(private readonly clock: Clock) {}

  get(digest: string): T | undefined {
    const entry = this.#entries.get(digest);
    if (entry === undefined) return undefined;
    if (entry.until > this.clock.now().getTime()) return entry.value;
    this.#entries.delete(digest);
    return undefined;
  }

  /** Looks something up and keeps it, counted from the moment the look-up began. */
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
