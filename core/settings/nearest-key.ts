import { distance } from 'fastest-levenshtein';

/** Comparing huge names would hold up everybody else; nobody meant one of ours by them. */
const LONGEST_NAME = 200;

/**
 * Finds the name that was most likely meant: close in spelling, or the same last part elsewhere.
 * Undefined when nothing is near; a wrong guess misleads more than none.
 */
export function nearestName(wrong: string, names: Iterable<string>, atMost?: number): string | undefined {
  if (wrong.length > LONGEST_NAME) return undefined;
  const wanted = wrong.toLowerCase();
  const last = wanted.slice(wanted.lastIndexOf('.') + 1);
  let best: string | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const candidate = name.toLowerCase();
    const spelled = distance(wanted, candidate);
    const sameLast = last.length > 3 && candidate.endsWith(`.${last}`) ? 1.5 : Number.POSITIVE_INFINITY;
    const score = Math.min(spelled, sameLast);
    if (score < bestScore) {
      best = name;
      bestScore = score;
    }
  }
  return bestScore <= (atMost ?? Math.max(2, Math.floor(last.length / 3))) ? best : undefined;
}

/** The words that name it, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const near = nearestName(wrong, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
