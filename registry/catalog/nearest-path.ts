import { distance } from 'fastest-levenshtein';

/**
 * Finds the path that was most likely meant: similar in spelling, or given by its last part or some of its words
 * (`rotate` for `rotate-pdf`). Undefined when nothing is similar.
 */
export function nearestPath(wrong: string, paths: Iterable<string>): string | undefined {
  const wanted = wrong
    .toLowerCase()
    .replace(/^\/?(api\/v1\/)?/, '')
    .replace(/\/+$/, '');
  let best: string | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  const wantedLast = wanted.slice(wanted.indexOf('/') + 1);
  for (const path of paths) {
    const last = path.slice(path.indexOf('/') + 1);
    const words =
      wantedLast.length > 3 && `-${last}-`.includes(`-${wantedLast}-`)
        ? 1.5 + last.length / 100
        : Number.POSITIVE_INFINITY;
    // The right name in the wrong category is nearer than another name in the same category.
    const score = Math.min(distance(wanted, path), distance(wantedLast, last) + 0.5, words);
    if (score < bestScore) {
      best = path;
      bestScore = score;
    }
  }
  return bestScore <= Math.max(2, Math.floor(wanted.length / 4)) ? best : undefined;
}
