import type { Word } from '../page-content.js';
import { type TextRow, textRows } from './aligned-rows.js';
import { linesText, readingLines } from './cell-lines.js';
import { headerColumns, movedCuts, type Places } from './header-columns.js';
import { lowerBound } from './line-groups.js';
import { around, type FoundCell, type FoundTable } from './model.js';

const MIN_ROWS = 3;
/** Lines further apart than so many times their height are not rows of one table. */
const ROW_GAP = 2.4;
/** Smallest white space between columns, relative to the font size, in nine of ten rows. */
const WHITE = 0.6;
const CROSSED = 0.1;
/** So many cells of a column must begin, end or have their middle at one place, which may differ so far (points). */
const ALIGNED = 0.75;
const OFF = 2.5;
/**
 * Cells of more words than the first, on average, are prose; of more than the second when they look like lines of
 * sentences.
 */
const PROSE = 4;
const SENTENCES = 2.4;
/** So many of all places must hold text. */
const FILLED = 0.5;
const LEADERS = /(?:\.\s?){4,}|…{2,}|_{4,}/;
const MARKER = /^(?:[\u2022\u25aa\u25cf\u25a0\u25a1\u25fb\u2013\u2014*·-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/;

/**
 * Finds tables without lines: rows of text with aligned columns. Conservative, because prose in columns, lists, forms
 * and tables of contents look alike: at least three rows and two columns, aligned, mostly filled, at most one column of
 * prose. Takes the words of one column of a page's layout, without those of tables already found. O(n log n).
 */
export function findAlignedTables(words: readonly Word[]): FoundTable[] {
  const tables: FoundTable[] = [];
  for (const rows of rowGroups(textRows(words))) {
    const table = [rows, rows.slice(1)]
      .map((body) => tableOf(rows, body))
      .find((one) => one !== undefined && isColumnar(one));
    if (table !== undefined) tables.push(table);
  }
  return tables;
}

/** Runs of lines of several parts that follow each other closely; a line of one part ends a run. */
function rowGroups(rows: readonly TextRow[]): TextRow[][] {
  const groups: TextRow[][] = [];
  let open: TextRow[] = [];
  const finish = (): void => {
    if (open.length >= MIN_ROWS) groups.push(open);
    open = [];
  };
  for (const row of rows) {
    const last = open.at(-1);
    if (
      last !== undefined &&
      (row.segments.length < 2 || row.top - last.bottom > (ROW_GAP - 1) * Math.max(row.size, last.size))
    )
      finish();
    if (row.segments.length >= 2) open.push(row);
  }
  finish();
  return groups;
}

/**
 * Cuts rows where nearly all of `body` are white: all rows, or those below a header that has a part for each column;
 * undefined where that makes less than two columns.
 */
function tableOf(rows: readonly TextRow[], body: readonly TextRow[]): FoundTable | undefined {
  if (body.length < MIN_ROWS) return undefined;
  const size = rows.map((row) => row.size).sort((a, b) => a - b)[rows.length >> 1]!;
  const white = whiteGaps(body, WHITE * size);
  if (white.length === 0 || (body !== rows && rows[0]!.segments.length !== white.length + 1)) return undefined;
  const { cuts, places } = placed(rows, white);
  const box = around(
    rows.flatMap(({ segments, top, bottom }) => segments.map(({ left, right }) => ({ left, right, top, bottom }))),
  );
  const columnEdges = [box.left, ...cuts, box.right];
  const rowEdges = [box.top, ...rows.slice(1).map((row, i) => (rows[i]!.bottom + row.top) / 2), box.bottom];
  const columns = columnEdges.length - 1;
  const cells: FoundCell[] = [];
  for (const [r, { segments }] of rows.entries()) {
    const held = new Map<number, { colSpan: number; words: Word[] }>();
    for (const [i, { words }] of segments.entries()) {
      const { first, last } = places[r]![i]!;
      const cell = held.get(first);
      if (cell === undefined) held.set(first, { colSpan: last - first + 1, words: [...words] });
      else {
        cell.words.push(...words);
        cell.colSpan = Math.max(cell.colSpan, last - first + 1);
      }
    }
    for (let column = 0; column < columns;) {
      const { colSpan, words } = held.get(column) ?? { colSpan: 1, words: [] };
      // A part that reaches into a column in which another one begins ends before it.
      let span = 1;
      while (span < colSpan && !held.has(column + span)) span++;
      cells.push({
        row: r,
        column,
        rowSpan: 1,
        colSpan: span,
        lines: readingLines(words),
        box: {
          left: columnEdges[column]!,
          right: columnEdges[column + span]!,
          top: rowEdges[r]!,
          bottom: rowEdges[r + 1]!,
        },
      });
      column += span;
    }
  }
  const lengths = (edges: readonly number[]): number[] => edges.slice(1).map((edge, i) => edge - edges[i]!);
  return {
    box,
    rows: rows.length,
    columns,
    cells,
    ruled: false,
    angle: 0,
    columnWidths: lengths(columnEdges),
    rowHeights: lengths(rowEdges),
  };
}

/** The columns of each part of each row, and the cuts between them. */
function placed(
  rows: readonly TextRow[],
  cuts: readonly number[],
): { readonly cuts: readonly number[]; readonly places: readonly Places[] } {
  const columnAt = (x: number): number => lowerBound(cuts.length, (n) => cuts[n]!, x);
  const places = rows.map(({ segments }) =>
    segments.map(({ left, right }) => {
      const first = columnAt(left + 0.01);
      return { first, last: Math.max(first, columnAt(right - 0.01)) };
    }),
  );
  const header = headerColumns(rows, places, cuts.length + 1);
  if (header === undefined) return { cuts, places };
  const moved = [header.map((column) => ({ first: column, last: column })), ...places.slice(1)];
  return { cuts: movedCuts(cuts, rows, moved), places: moved };
}

/**
 * Middles of the stretches that no row covers, or of five and more rows at most one in ten, and that are at least so
 * wide.
 */
function whiteGaps(rows: readonly TextRow[], least: number): number[] {
  const starts = Float64Array.from(rows.flatMap(({ segments }) => segments.map(({ left }) => left))).sort();
  const ends = Float64Array.from(rows.flatMap(({ segments }) => segments.map(({ right }) => right))).sort();
  const allowed = rows.length < 5 ? 0 : Math.max(1, Math.floor(CROSSED * rows.length));
  const gaps: number[] = [];
  let covered = 0;
  let from: number | undefined;
  for (let start = 0, end = 0; start < starts.length;) {
    if (starts[start]! <= ends[end]!) {
      if (++covered > allowed && from !== undefined) {
        if (starts[start]! - from >= least) gaps.push((from + starts[start]!) / 2);
        from = undefined;
      }
      start++;
    } else if (--covered <= allowed) {
      from ??= ends[end]!;
      end++;
    } else end++;
  }
  return gaps;
}

function isColumnar(table: FoundTable): boolean {
  const { cells, rows, columns } = table;
  const filled = cells.filter(({ lines }) => lines.length > 0);
  if (filled.length < FILLED * rows * columns) return false;
  const byColumn = Array.from({ length: columns }, (): FoundCell[] => []);
  for (const cell of filled) if (cell.colSpan === 1) byColumn[cell.column]!.push(cell);
  if (byColumn.some((column) => column.length < Math.max(2, rows / 3) || !isAligned(column))) return false;
  const prose = byColumn.filter(isProse);
  if (prose.length > 1 || (columns === 2 && prose.length === 1 && rows < 2 * MIN_ROWS)) return false;
  const texts = byColumn.map((column) => column.map(({ lines }) => linesText(lines)));
  if (texts[0]!.filter((text) => MARKER.test(text)).length > 0.6 * texts[0]!.length && columns === 2) return false;
  if (columns === 2 && rows > MIN_ROWS && isAscending(texts[1]!)) return false;
  return filled.filter(({ lines }) => LEADERS.test(linesText(lines))).length < rows / 3;
}

/**
 * True for lines of sentences: long, or of a few words that go on in lower case or fill the column from side to side.
 */
function isProse(cells: readonly FoundCell[]): boolean {
  const words = average(cells, ({ lines }) => lines.flat().length);
  if (words <= SENTENCES) return false;
  const goesOn = cells.filter(({ lines }) => /^\p{Ll}/u.test(lines[0]?.[0]?.text ?? '')).length;
  const boxes = cells.map(({ lines }) => around(lines.flat().map(({ box }) => box)));
  const justified =
    cells.length > MIN_ROWS &&
    aligned(boxes.map(({ left }) => left)) >= ALIGNED * cells.length &&
    aligned(boxes.map(({ right }) => right)) >= 0.5 * cells.length;
  return words > PROSE || goesOn >= cells.length / 3 || justified;
}

/** Page numbers of a table of contents. */
function isAscending(texts: readonly string[]): boolean {
  return texts.every((text, i) => /^\d{1,4}$/.test(text) && (i === 0 || Number(text) >= Number(texts[i - 1])));
}

/** True when most cells of a column begin, end, or have their middle at one place. */
function isAligned(cells: readonly FoundCell[]): boolean {
  const boxes = cells.map(({ lines }) => around(lines.flat().map(({ box }) => box)));
  return [
    boxes.map(({ left }) => left),
    boxes.map(({ right }) => right),
    boxes.map(({ left, right }) => (left + right) / 2),
  ].some((places) => aligned(places) >= ALIGNED * places.length);
}

/** How many values are about the one in the middle. */
function aligned(places: readonly number[]): number {
  const middle = places.toSorted((a, b) => a - b)[places.length >> 1]!;
  return places.filter((place) => Math.abs(place - middle) <= OFF).length;
}

function average<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0) / Math.max(1, values.length);
}
