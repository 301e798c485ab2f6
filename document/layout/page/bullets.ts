import type { Box } from '../model.js';
import type { Word } from '../page-content.js';
import { type Line, lineOf } from '../prose/line.js';

/** Largest size of a drawn bullet, and its largest distance from the text, relative to the font size. */
const LARGEST = 0.75;
const FARTHEST = 3;
const MAX_MARKS = 5000;

/** Adds drawn bullets (discs, squares, small images) to the lines as words. */
export function withBullets(
  lines: readonly Line[],
  marks: readonly Box[],
): { readonly lines: Line[]; readonly taken: ReadonlySet<Box> } {
  const taken = new Set<Box>();
  const small = marks
    .filter(
      ({ left, top, right, bottom }) =>
        right - left < 20 &&
        bottom - top < 20 &&
        right - left > 0.8 &&
        Math.max(right - left, bottom - top) < 3 * Math.min(right - left, bottom - top),
    )
    .slice(0, MAX_MARKS);
  if (small.length === 0) return { lines: [...lines], taken };
  const sorted = [...small].sort((a, b) => a.top - b.top);
  const found = lines.map((line) => {
    const mark = markBefore(line, sorted, lines);
    if (mark === undefined) return line;
    taken.add(mark);
    const first = line.words[0]!;
    const bullet: Word = {
      ...first,
      text: '\u2022',
      box: mark,
      spaced: true,
      startsLine: true,
      divided: false,
      baseline: line.baseline,
      style: { ...first.style, bold: line.bold, italic: false },
    };
    return lineOf(
      [bullet, ...line.words.map((word, i) => (i === 0 ? { ...word, spaced: true, startsLine: false } : word))],
      new Map(),
    );
  });
  return { lines: found, taken };
}

function markBefore({ box, size, direction }: Line, marks: readonly Box[], lines: readonly Line[]): Box | undefined {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]!.top < box.top - 1) low = middle + 1;
    else high = middle;
  }
  let best: Box | undefined;
  for (let i = low; i < marks.length && marks[i]!.top < box.bottom; i++) {
    const mark = marks[i]!;
    if (mark.bottom > box.bottom + 1 || Math.max(mark.right - mark.left, mark.bottom - mark.top) > LARGEST * size)
      continue;
    const gap = direction === 'ltr' ? box.left - mark.right : mark.left - box.right;
    if (gap < 0.1 * size || gap > FARTHEST * size) continue;
    if (best === undefined || (direction === 'ltr' ? mark.right > best.right : mark.left < best.left)) best = mark;
  }
  // Nothing may stand between, and nothing right before it: then it is a sign within a line.
  return best !== undefined &&
    lines.some(
      (other) =>
        other.box.top < best.bottom &&
        other.box.bottom > best.top &&
        other.box.right <= best.left + 1 &&
        other.box.right > best.left - size,
    )
    ? undefined
    : best;
}
