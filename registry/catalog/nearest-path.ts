import { distance } from 'fastest-levenshtein';
import { nearest } from './nearest.js';

/**
 * Finds the path that was most likely meant: similar in spelling, or given by its last part or some of its words
 * (`rotate` for `rotate-pdf`). Undefined when nothing is similar.
 */
export function nearestPath(wrong: string, paths: Iterable<string>): string | undefined {
  const wanted = wrong
    .toLowerCase()
    .replace(/^\/?(api\/v1\/)?/, '')
    .replace(/\/+$/, '');
  const wantedLast = wanted.slice(wanted.indexOf('/') + 1);
  return nearest(
    paths,
    (path) => {
      const last = path.slice(path.indexOf('/') + 1);
      const sharesWords = wantedLast.length > 3 && `-${last}-`.includes(`-${wantedLast}-`);
      const words = sharesWords ? 1.5 + last.length / 100 : Number.POSITIVE_INFINITY;
      // The right name in the wrong category is nearer than another name in the same category.
      return Math.min(distance(wanted, path), distance(wantedLast, last) + 0.5, words);
    },
    Math.max(2, Math.floor(wanted.length / 4)),
  );
}
