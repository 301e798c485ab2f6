import type { Box } from '../model.js';
import { around, type Line } from './line.js';

/** Lines below one another: a part of a column. */
export interface Column {
  readonly lines: readonly Line[];
  readonly box: Box;
}

/** Base lines of a column are at most so many sizes apart. */
const FAR = 2.6;
const NEIGHBOURS = 300;

/** Puts lines (sorted by their upper edges) below one another: a line goes on with the one below where there is but one, and that has but one above. */
export function columnsOf(lines: readonly Line[]): Column[] {
  const below = lines.map((_, i) => neighbours(lines, i));
  const above = new Map<number, number>();
  for (const list of below) for (const one of list) above.set(one, (above.get(one) ?? 0) + 1);
  const next = below.map((list) => (list.length === 1 && above.get(list[0]!) === 1 ? list[0] : undefined));
  const continued = new Set(next);
  const columns: Column[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (continued.has(i)) continue;
    const own: Line[] = [];
    for (let j: number | undefined = i; j !== undefined; j = next[j]) own.push(lines[j]!);
    columns.push({ lines: own, box: around(own.map(({ box }) => box)) });
  }
  return columns;
}

/** Lines that stand directly below a line: nothing lies between. */
function neighbours(lines: readonly Line[], i: number): number[] {
  const line = lines[i]!;
  const found: number[] = [];
  let end = line.baseline + FAR * line.size;
  for (let j = i + 1; j < Math.min(lines.length, i + NEIGHBOURS); j++) {
    const other = lines[j]!;
    if (other.box.top > end) break;
    if (other.baseline <= line.baseline + 0.2 * line.size || other.baseline > line.baseline + FAR * Math.max(line.size, other.size) || !overlaps(line.box, other.box)) continue;
    if (found.some((one) => overlaps(lines[one]!.box, other.box))) continue;
    found.push(j);
    // What begins below the first of them is not next to the line, unless it stands beside it.
    end = Math.min(end, Math.max(...found.map((one) => lines[one]!.box.bottom)));
  }
  return found;
}

/** True for boxes that share some of their width. */
export function overlaps(a: Box, b: Box): boolean {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left) > Math.min(2, 0.2 * Math.min(a.right - a.left, b.right - b.left));
}
