import { absolute, compare, halfPlace, minus, type Rational } from './rational.js';
import type { Mark } from './read-number.js';

/** A contradiction, as the answer lists it (`docs/interface/ai.yml`, math-auditor-agent). */
export interface Discrepancy {
  /** 1-based. */
  readonly page: number;
  readonly kind: 'tally' | 'arithmetic' | 'consistency' | 'statement';
  /**
   * `warning` where it is off by no more than rounding explains, or where a person should look whether the numbers
   * belong together.
   */
  readonly severity: 'error' | 'warning';
  readonly description: string;
  readonly stated: string;
  readonly expected: string;
  readonly context: string;
}

/** How numbers are read and compared. */
export interface AuditOptions {
  /** Differences below this are ignored; 0 or more. */
  readonly tolerance: Rational;
  /** The mark of decimals that the document uses. */
  readonly mark: Mark;
}

const LONGEST_CONTEXT = 240;

/** True when two numbers differ by no less than the tolerance. */
export function differ(a: Rational, b: Rational, tolerance: Rational): boolean {
  const difference = absolute(minus(a, b));
  return difference.top !== 0n && compare(difference, tolerance) >= 0;
}

/** True when a number may be the other one, rounded to so many decimals, `times` times. */
export function isRounded(a: Rational, b: Rational, decimals: number, times = 1): boolean {
  const half = halfPlace(decimals);
  return compare(absolute(minus(a, b)), { top: half.top * BigInt(times), bottom: half.bottom }) <= 0;
}

/** A text in one line, cut where it is long. */
export function contextOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_CONTEXT ? line : `${line.slice(0, LONGEST_CONTEXT - 1)}…`;
}

/** The other mark of decimals. */
export const otherMark = (mark: Mark): Mark => (mark === '.' ? ',' : '.');
