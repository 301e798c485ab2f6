import type { Word } from '../page-content.js';
import { quarter, readingLines } from './cell-lines.js';
import { type GridCell, type Grid, gridOf } from './grid.js';
import { joinLines } from './join-lines.js';
import { type LineGroup, lineGroups, lowerBound, Sets } from './line-groups.js';
import { around, type FoundCell, type FoundTable } from './model.js';
import { type DrawnContent, isTable } from './is-table.js';
import { turnTable } from './turn-table.js';
import { WordIndex } from './word-index.js';

const MAX_TABLES = 1000;

/**
 * Finds the tables of a page that are drawn with lines or filled areas: from the top, then from the left. A single box
 * is not a table, nor is an area with hardly any text (charts, drawings, decoration). Merged cells are where lines are
 * missing. Of nested tables, the one with more cells counts. O(n log n) in lines and words for any page; none for pages
 * with far more crossings than a table needs.
 */
export function findRuledTables(content: DrawnContent): FoundTable[] {
  const { level, upright } = joinLines(content.rulings, content.fills);
  const words = new WordIndex(content.words);
  const found = lineGroups(level, upright).flatMap((group) => tablesOf(group, words));
  return outermost(found.filter((table) => isTable(table, content, words))).sort(inReadingOrder);
}

function tablesOf(group: LineGroup, words: WordIndex): FoundTable[] {
  const box = around([
    ...group.level.map(({ at, from, to }) => ({ left: from, right: to, top: at, bottom: at })),
    ...group.upright.map(({ at, from, to }) => ({ left: at, right: at, top: from, bottom: to })),
  ]);
  const inside = words.within(box);
  if (inside.length < 2) return [];
  const xs = Float64Array.from(inside, ({ x }) => x).sort();
  const ys = Float64Array.from(inside, ({ y }) => y).sort();
  const grid = gridOf(group, { columns: between(xs), rows: between(ys) });
  return grid === undefined ? [] : neighbours(grid).map((cells) => tableOf(grid, cells, words));
}

function between(places: Float64Array): (from: number, to: number) => boolean {
  return (from, to) => {
    const next = lowerBound(places.length, (n) => places[n]!, from);
    return next < places.length && places[next]! < to;
  };
}

/** Cells that share sides, by and by. */
function neighbours({ xs, ys, cells }: Grid): GridCell[][] {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const owner = new Int32Array(columns * rows).fill(-1);
  for (const [i, cell] of cells.entries()) {
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++)
      owner.fill(i, r * columns + cell.column, r * columns + cell.column + cell.colSpan);
  }
  const sets = new Sets(cells.length);
  for (let place = 0; place < owner.length; place++) {
    const own = owner[place]!;
    if (own < 0) continue;
    if (place % columns > 0 && owner[place - 1]! >= 0) sets.join(owner[place - 1]!, own);
    if (place >= columns && owner[place - columns]! >= 0) sets.join(owner[place - columns]!, own);
  }
  const groups = new Map<number, GridCell[]>();
  for (const [i, cell] of cells.entries()) {
    const root = sets.find(i);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [cell]);
    else group.push(cell);
  }
  return [...groups.values()];
}

/**
 * Creates a table from cells: only grid tracks that separate cells are kept; positions without a cell get an empty one.
 */
function tableOf({ xs, ys }: Grid, cells: readonly GridCell[], words: WordIndex): FoundTable {
  const columnTracks = used(cells.flatMap(({ column, colSpan }) => [column, column + colSpan]));
  const rowTracks = used(cells.flatMap(({ row, rowSpan }) => [row, row + rowSpan]));
  const [columnOf, rowOf] = [placesOf(columnTracks), placesOf(rowTracks)];
  const [columns, rows] = [columnTracks.length - 1, rowTracks.length - 1];
  const [columnEdges, rowEdges] = [columnTracks.map((track) => xs[track]!), rowTracks.map((track) => ys[track]!)];
  const owner = new Int32Array(columns * rows).fill(-1);
  const placed = cells.map(({ row, column, rowSpan, colSpan }, i) => {
    const [r, c] = [rowOf.get(row)!, columnOf.get(column)!];
    const cell = {
      row: r,
      column: c,
      rowSpan: rowOf.get(row + rowSpan)! - r,
      colSpan: columnOf.get(column + colSpan)! - c,
    };
    for (let y = r; y < r + cell.rowSpan; y++) owner.fill(i, y * columns + c, y * columns + c + cell.colSpan);
    return cell;
  });
  for (let place = 0; place < owner.length; place++) {
    if (owner[place]! < 0)
      owner[place] =
        placed.push({ row: Math.floor(place / columns), column: place % columns, rowSpan: 1, colSpan: 1 }) - 1;
  }
  const box = { left: columnEdges[0]!, top: rowEdges[0]!, right: columnEdges.at(-1)!, bottom: rowEdges.at(-1)! };
  const held: Word[][] = placed.map(() => []);
  for (const { word, x, y } of words.within(box))
    held[owner[trackOf(rowEdges, y) * columns + trackOf(columnEdges, x)]!]!.push(word);
  const made = placed.map((cell, i): FoundCell => ({
    ...cell,
    lines: readingLines(held[i]!),
    box: {
      left: columnEdges[cell.column]!,
      right: columnEdges[cell.column + cell.colSpan]!,
      top: rowEdges[cell.row]!,
      bottom: rowEdges[cell.row + cell.rowSpan]!,
    },
  }));
  const table: FoundTable = {
    box,
    rows,
    columns,
    ruled: true,
    angle: 0,
    cells: made.sort((a, b) => a.row - b.row || a.column - b.column),
    columnWidths: lengths(columnEdges),
    rowHeights: lengths(rowEdges),
  };
  return turnTable(table, mostFrequentAngle(held));
}

function used(tracks: readonly number[]): number[] {
  return [...new Set(tracks)].sort((a, b) => a - b);
}

function placesOf(tracks: readonly number[]): Map<number, number> {
  return new Map(tracks.map((track, place) => [track, place]));
}

/** The place between edges that holds a value within them. */
function trackOf(edges: readonly number[], at: number): number {
  return Math.min(edges.length - 2, Math.max(0, lowerBound(edges.length, (n) => edges[n]!, at + 1e-9) - 1));
}

function lengths(edges: readonly number[]): number[] {
  return edges.slice(1).map((edge, i) => edge - edges[i]!);
}

/** How most of the letters are turned. */
function mostFrequentAngle(held: readonly (readonly Word[])[]): FoundTable['angle'] {
  const letters = { 0: 0, 90: 0, 180: 0, 270: 0 };
  for (const words of held) for (const { angle, text } of words) letters[quarter(angle)] += text.length;
  const all = letters[0] + letters[90] + letters[180] + letters[270];
  return ([90, 180, 270] as const).find((angle) => letters[angle] > 0.7 * all) ?? 0;
}

/**
 * From the top, then from the left, considering rotation; tables that start at about the same height are side by side.
 */
function inReadingOrder(a: FoundTable, b: FoundTable): number {
  const [first, second] = [placeOf(a), placeOf(b)];
  return a.angle - b.angle || Math.round(first.down / 4) - Math.round(second.down / 4) || first.along - second.along;
}

function placeOf({ box, angle }: FoundTable): { readonly down: number; readonly along: number } {
  switch (angle) {
    case 90:
      return { down: box.left, along: -box.bottom };
    case 180:
      return { down: -box.bottom, along: -box.right };
    case 270:
      return { down: -box.right, along: box.top };
    default:
      return { down: box.top, along: box.left };
  }
}

/**
 * Of tables within each other, the one of more cells; the largest tables of a page that has more than anybody would
 * draw.
 */
function outermost(tables: readonly FoundTable[]): FoundTable[] {
  const kept: FoundTable[] = [];
  for (const table of tables.toSorted((a, b) => b.cells.length - a.cells.length).slice(0, MAX_TABLES)) {
    if (!kept.some((other) => contains(other, table) || contains(table, other))) kept.push(table);
  }
  return kept;
}

function contains({ box: outer }: FoundTable, { box: inner }: FoundTable): boolean {
  return (
    outer.left <= inner.left + 1 &&
    outer.top <= inner.top + 1 &&
    outer.right >= inner.right - 1 &&
    outer.bottom >= inner.bottom - 1
  );
}
