import type { Box, Direction } from '../model.js';
import { overlaps } from './columns.js';
import type { Gutter } from './lines.js';

/** Beyond so many parts of a page they are read as they stand, row by row: a map or a chart, no prose. */
const MAX_PARTS = 400;
/** Of these the widest are looked at for lying between others. */
const MAX_BETWEEN = 200;
/** Distance in points beyond its ends at which a gutter still separates the text beside it. */
const BEYOND = 60;

/**
 * Sorts parts of a page into the order in which they are read: what stands above goes before what stands below it, but
 * a column of prose before the one beside it, unless something that reaches over both lies between them.
 */
export function inReadingOrder<T extends { readonly box: Box }>(
  parts: readonly T[],
  direction: Direction,
  gutters: readonly Gutter[] = [],
): T[] {
  const sorted = [...parts].sort(
    (a, b) => a.box.top - b.box.top || (direction === 'ltr' ? a.box.left - b.box.left : b.box.right - a.box.right),
  );
  if (sorted.length > MAX_PARTS) return sorted;
  const between = [...sorted]
    .sort((a, b) => b.box.right - b.box.left - (a.box.right - a.box.left))
    .slice(0, MAX_BETWEEN);
  const before = sorted.map((one) =>
    sorted.flatMap((other, i) =>
      one !== other && isBefore(other.box, one.box, direction, between, gutters) ? [i] : [],
    ),
  );
  const done = new Set<number>();
  const ordered: T[] = [];
  for (let i = 0; i < sorted.length; i++) visit(i, before, done, (n) => ordered.push(sorted[n]!));
  return ordered;
}

/** Depth-first: predecessors come first; a cycle is cut where it closes. */
function visit(
  start: number,
  before: readonly (readonly number[])[],
  done: Set<number>,
  give: (n: number) => void,
): void {
  if (done.has(start)) return;
  done.add(start);
  const stack: { readonly n: number; at: number }[] = [{ n: start, at: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const next = before[top.n]![top.at++];
    if (next === undefined) {
      give(top.n);
      stack.pop();
    } else if (!done.has(next)) {
      done.add(next);
      stack.push({ n: next, at: 0 });
    }
  }
}

function isBefore(
  a: Box,
  b: Box,
  direction: Direction,
  between: readonly { readonly box: Box }[],
  gutters: readonly Gutter[],
): boolean {
  if (overlaps(a, b)) return middle(a) < middle(b);
  const leftFirst = a.right <= b.left + 2;
  const first = direction === 'ltr' ? leftFirst : !leftFirst;
  const [upper, lower] = a.top <= b.top ? [a, b] : [b, a];
  // Overlapping blocks are ordered by row or by column; others from top to bottom.
  const beside = Math.min(a.bottom, b.bottom) - lower.top > 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top);
  if (!beside && !gutters.some((gutter) => parts(gutter, leftFirst ? a : b, leftFirst ? b : a, between)))
    return a === upper;
  if (!first) return false;
  return !between.some(
    ({ box: c }) => c.top >= upper.bottom - 2 && c.bottom <= lower.top + 2 && overlaps(c, a) && overlaps(c, b),
  );
}

/** True for boxes on both sides of a gutter, beside it or near its ends without anything across in between. */
function parts(
  { from, to, top, bottom }: Gutter,
  left: Box,
  right: Box,
  between: readonly { readonly box: Box }[],
): boolean {
  if (left.right > from + 2 || right.left < to - 2) return false;
  const crossed = (upper: number, lower: number): boolean =>
    between.some(
      ({ box }) => box.left < from - 2 && box.right > to + 2 && box.top >= upper - 4 && box.bottom <= lower + 4,
    );
  const reaches = (box: Box): boolean => {
    if (box.top < bottom && box.bottom > top) return true;
    return box.top >= bottom
      ? box.top < bottom + BEYOND && !crossed(bottom, box.top)
      : box.bottom > top - BEYOND && !crossed(box.bottom, top);
  };
  return reaches(left) && reaches(right);
}

function middle({ top, bottom }: Box): number {
  return (top + bottom) / 2;
}
