import { sessionDigest } from './session-digest.js';
import { UniqueCounter } from './unique-counter.js';

/** Report about browsers (`docs/interface/info.yml`, wau). */
export interface WeeklyReport {
  /** Browsers seen in the last seven days; at most 50 000. */
  readonly weeklyActiveUsers: number;
  /** Browsers seen since the start. */
  readonly totalUniqueBrowsers: number;
  /** Full days since the start. */
  readonly daysOnline: number;
  /** ISO 8601 instant in UTC. */
  readonly trackingSince: string;
}

const DAY_MS = 86_400_000;
const MOST_KEPT = 50_000;
const LONGEST_ID = 128;

/**
 * Counts browsers by the id they send, of which only a digest is kept. At most 50 000 are kept; the one with the oldest
 * visit is dropped first.
 */
export class WeeklyBrowsers {
  /** Digest → last visit in ms, the oldest visit first. */
  readonly #seen = new Map<number, number>();
  readonly #all = new UniqueCounter({ exact: 10_000, precision: 14 });
  readonly #digest = sessionDigest();
  readonly #started: number;

  constructor(private readonly now: () => number = Date.now) {
    this.#started = now();
  }

  /** Records a visit; empty ids, and ids that no browser would send, are ignored. */
  see(id: string | undefined): void {
    const browser = id?.trim() ?? '';
    if (browser === '' || browser.length > LONGEST_ID) return;
    const digest = this.#digest(browser);
    this.#seen.delete(digest);
    this.#seen.set(digest, this.now());
    this.#all.add(digest);
    if (this.#seen.size > MOST_KEPT) this.#forget(this.#seen.keys().next().value);
  }

  report(): WeeklyReport {
    const now = this.now();
    for (const [digest, at] of this.#seen) {
      if (now - at <= 7 * DAY_MS) break;
      this.#forget(digest);
    }
    return {
      weeklyActiveUsers: this.#seen.size,
      // An estimate beyond ten thousand, but never below the number of kept browsers.
      totalUniqueBrowsers: Math.max(this.#all.count, this.#seen.size),
      daysOnline: Math.floor((now - this.#started) / DAY_MS),
      trackingSince: new Date(this.#started).toISOString(),
    };
  }

  #forget(digest: number | undefined): void {
    if (digest !== undefined) this.#seen.delete(digest);
  }
}
