import { sessionDigest } from './session-digest.js';
import { UniqueCounter } from './unique-counter.js';

/** What is told of the browsers (`docs/interface/info.yml`, wau). */
export interface WeeklyReport {
  /** Seen in the last seven days; never more than 50 000. */
  readonly weeklyActiveUsers: number;
  /** Since the start. */
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
 * Counts browsers by the id they send, of which only a digest is kept. At most 50 000 are kept by their last visit,
 * those not seen longest go first.
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

  /** Notes a visit; an empty id, or one that no browser would send, is none. */
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
      // An estimate beyond ten thousand, but never below what is known.
      totalUniqueBrowsers: Math.max(this.#all.count, this.#seen.size),
      daysOnline: Math.floor((now - this.#started) / DAY_MS),
      trackingSince: new Date(this.#started).toISOString(),
    };
  }

  #forget(digest: number | undefined): void {
    if (digest !== undefined) this.#seen.delete(digest);
  }
}
