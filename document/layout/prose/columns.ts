import type { Box } from '../model.js';
import { around, type Line } from './line.js';
import type { Gutter } from './lines.js';

/** Lines below one another: a part of a column. */
export interface Column {
  readonly lines: readonly Line[];
  readonly box: Box;
  /** Area that it occupies when columns are ordered: wider than its box if it is below several columns as a whole. */
  readonly span: Box;
}

/** Base lines of a column are at most so many sizes apart. */
const FAR = 2.6;
const NEIGHBOURS = 300;

/**
 * Puts lines (sorted by their upper edges) below one another: a line goes on with the one below where there is but one,
 * and that has but one above.
 */
export function columnsOf(lines: readonly Line[], gutters: readonly Gutter[] = []): Column[] {
  const below = lines.map((_, i) => neighbours(lines, i));
  const above = new Map<number, number>();
  for (const list of below) for (const one of list) above.set(one, (above.get(one) ?? 0) + 1);
  const next = below.map((list, i) =>
    list.length === 1 && above.get(list[0]!) === 1 && !isInterrupted(lines, i, list[0]!, gutters) ? list[0] : undefined,
  );
  // Text below columns that end side by side belongs to none of them.
  const wider = new Map<number, Gutter>();
  for (const [i, j] of next.entries()) {
    const gutter = j === undefined ? undefined : endedBetween(lines[i]!, lines[j]!, gutters);
    if (j === undefined || gutter === undefined) continue;
    wider.set(j, gutter);
    next[i] = undefined;
  }
  const continued = new Set(next);
  const columns: Column[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (continued.has(i)) continue;
    const own: Line[] = [];
    for (let j: number | undefined = i; j !== undefined; j = next[j]) own.push(lines[j]!);
    const box = around(own.map((line) => line.box));
    const gutter = wider.get(i);
    columns.push({
      lines: own,
      box,
      span:
        gutter === undefined
          ? box
          : { ...box, left: Math.min(box.left, gutter.left), right: Math.max(box.right, gutter.right) },
    });
  }
  return columns;
}

/** True where a line that no gutter parts from them stands between two lines, though not over or under them. */
function isInterrupted(lines: readonly Line[], i: number, j: number, gutters: readonly Gutter[]): boolean {
  const [upper, lower] = [lines[i]!, lines[j]!];
  for (let k = i + 1; k < Math.min(lines.length, i + NEIGHBOURS); k++) {
    const { box, size, baseline } = lines[k]!;
    if (box.top > lower.box.top) break;
    if (k === j || baseline < upper.baseline + 0.6 * size || baseline > lower.baseline - 0.6 * size) continue;
    const [left, right] = box.left > upper.box.right ? [upper.box, box] : [box, upper.box];
    if (
      !gutters.some(
        ({ from, to, top, bottom }) =>
          left.right <= from + 2 &&
          right.left >= to - 2 &&
          box.top < bottom - 0.5 * size &&
          box.bottom > top + 0.5 * size,
      )
    )
      return true;
  }
  return false;
}

/**
 * The gutter beside a line that ends with it, where the next line is something else: another size, weight, or distance.
 */
function endedBetween(line: Line, next: Line, gutters: readonly Gutter[]): Gutter | undefined {
  const size = line.size || 1;
  const parted =
    next.baseline - line.baseline > 1.7 * size ||
    Math.abs(next.size - line.size) > 0.1 * size ||
    next.bold !== line.bold;
  if (!parted) return undefined;
  // Columns that were balanced differ by a line at most.
  return gutters.find(
    ({ from, to, bottom, top }) =>
      Math.abs(bottom - line.box.bottom) < 1.8 * size &&
      top < line.box.top &&
      next.box.top > bottom - 1 &&
      (line.box.right <= from + 2 || line.box.left >= to - 2),
  );
}

/** Lines that stand directly below a line: nothing lies between. */
function neighbours(lines: readonly Line[], i: number): number[] {
  const line = lines[i]!;
  const found: number[] = [];
  let end = line.baseline + FAR * line.size;
  for (let j = i + 1; j < Math.min(lines.length, i + NEIGHBOURS); j++) {
    const other = lines[j]!;
    if (other.box.top > end) break;
    if (
      other.baseline <= line.baseline + 0.2 * line.size ||
      other.baseline > line.baseline + FAR * Math.max(line.size, other.size) ||
      !overlaps(line.box, other.box)
    )
      continue;
    if (found.some((one) => overlaps(lines[one]!.box, other.box))) continue;
    found.push(j);
    // Text below the first of them is not beside the line, unless it overlaps it.
    end = Math.min(end, Math.max(...found.map((one) => lines[one]!.box.bottom)));
  }
  return found;
}

/** True for boxes that share some of their width. */
export function overlaps(a: Box, b: Box): boolean {
  return (
    Math.min(a.right, b.right) - Math.max(a.left, b.left) >
    Math.min(2, 0.2 * Math.min(a.right - a.left, b.right - b.left))
  );
}
