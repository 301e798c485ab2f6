import type { Segment, TextRow } from './aligned-rows.js';

interface Extent {
  readonly left: number;
  readonly right: number;
}

/** Where the text of a column begins and ends. */
interface Column extends Extent {
  /** The side at which its text stands in line. */
  readonly side: 'left' | 'right';
}

/** Columns from..to of each part of a row. */
export type Places = readonly { readonly first: number; readonly last: number }[];

/** Text nearer to a line than this, in points, stands in it. */
const IN_LINE = 1.5;
const NUMBER = /^[\p{Nd}\p{Sc}.,:%+\-\u2212\u2013]+$/u;
/** Distance of a header beyond the side at which its column stands in line: there the next column begins. */
const BEYOND = 1000;
/** A header next to the middle of its column is preferred to one that only reaches into it. */
const OFF_CENTRE = 0.1;

/**
 * The columns of the parts of a header that the columns' cuts do not fit: titles on the left over numbers on the right
 * stand beside their column, and two of them would be in one cell. Each part gets the column of its own that it is
 * over, or next to, in the order of both. `rows` and `places` are of the whole table; undefined where the cuts fit, and
 * for parts over several columns.
 */
export function headerColumns(
  rows: readonly TextRow[],
  places: readonly Places[],
  columns: number,
): number[] | undefined {
  const [header, ...body] = places;
  const parts = rows[0]?.segments ?? [];
  if (header === undefined || parts.length < 2 || parts.length > columns || body.some(isCrowded)) return undefined;
  const texts = Array.from({ length: columns }, (): Segment[] => []);
  for (const [r, row] of body.entries())
    for (const [i, { first, last }] of row.entries()) if (first === last) texts[first]!.push(rows[r + 1]!.segments[i]!);
  if (texts.some((own) => own.length === 0)) return undefined;
  const extents = texts.map(columnOf);
  const isOver = (part: Extent, column: Extent): boolean => part.left < column.right && column.left < part.right;
  if (parts.some((part) => extents.filter((column) => isOver(part, column)).length > 1)) return undefined;
  const found = cheapest(
    parts.map((part) => extents.map((column) => distance(part, column))),
    columns,
  );
  return header.every(({ first, last }, i) => first === last && first === found[i]) ? undefined : found;
}

function isCrowded(row: Places): boolean {
  return row.some(({ first }, i) => row[i - 1]?.first === first);
}

function columnOf(texts: readonly Segment[]): Column {
  const [lefts, rights] = [texts.map(({ left }) => left), texts.map(({ right }) => right)];
  const numbers = texts.filter(({ words }) => words.every(({ text }) => NUMBER.test(text))).length;
  const [left, right] = [inLine(lefts), inLine(rights)];
  return {
    left: Math.min(...lefts),
    right: Math.max(...rights),
    side: right > left || (right === left && 2 * numbers > texts.length) ? 'right' : 'left',
  };
}

/** How many values are about the one in the middle. */
export function inLine(places: readonly number[]): number {
  const middle = places.toSorted((a, b) => a - b)[places.length >> 1] ?? 0;
  return places.filter((place) => Math.abs(place - middle) <= IN_LINE).length;
}

function distance(part: Extent, column: Column): number {
  const apart = Math.max(0, column.left - part.right, part.left - column.right);
  const beyond = column.side === 'right' ? part.left >= column.right : part.right <= column.left;
  const offCentre = OFF_CENTRE * Math.abs((part.left + part.right) / 2 - (column.left + column.right) / 2);
  return apart + offCentre + (beyond ? BEYOND : 0);
}

/** Gives each part a column to the right of the one before, at the least cost altogether. */
function cheapest(costs: readonly (readonly number[])[], columns: number): number[] {
  // best[i][c]: the cost of the first i parts in the first c columns.
  const best = [Array.from({ length: columns + 1 }, () => 0)];
  for (const [i, row] of costs.entries()) {
    const before = best[i]!;
    const own = [Infinity];
    for (const [c, cost] of row.entries()) own.push(Math.min(own[c]!, before[c]! + cost));
    best.push(own);
  }
  const found: number[] = [];
  for (let i = costs.length, c = columns; i > 0; i--) {
    while (best[i]![c - 1] === best[i]![c]) c--;
    found.unshift(--c);
  }
  return found;
}

/** The cuts between columns, moved to where no text of either side is, where there is such a place. */
export function movedCuts(
  cuts: readonly number[],
  rows: readonly TextRow[],
  places: readonly Places[],
): readonly number[] {
  return cuts.map((cut, c) => {
    let [from, to] = [-Infinity, Infinity];
    for (const [r, row] of places.entries())
      for (const [i, { first, last }] of row.entries()) {
        const { left, right } = rows[r]!.segments[i]!;
        if (last <= c) from = Math.max(from, right);
        if (first > c) to = Math.min(to, left);
      }
    return from < to ? (from + to) / 2 : cut;
  });
}
