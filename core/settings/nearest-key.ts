import { nearest } from '@quire/catalog';
import { distance } from 'fastest-levenshtein';

/** Comparing longer names would delay other requests, in characters. */
const LONGEST_NAME = 200;

/**
 * Finds the name that was most likely meant: close in spelling, or the same last part elsewhere. Undefined when nothing
 * is near.
 */
export function nearestName(wrong: string, names: Iterable<string>, atMost?: number): string | undefined {
  if (wrong.length > LONGEST_NAME) return undefined;
  const wanted = wrong.toLowerCase();
  const last = wanted.slice(wanted.lastIndexOf('.') + 1);
  return nearest(
    names,
    (name) => {
      const candidate = name.toLowerCase();
      const sameLast = last.length > 3 && candidate.endsWith(`.${last}`) ? 1.5 : Number.POSITIVE_INFINITY;
      return Math.min(distance(wanted, candidate), sameLast);
    },
    atMost ?? Math.max(2, Math.floor(last.length / 3)),
  );
}

/** Returns ` Did you mean …?`, or an empty string when no name is near. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const near = nearestName(wrong, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
