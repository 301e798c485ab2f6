import { type FoundCell, type FoundTable, inLine } from '../tables/index.js';
import type { Align, Block, Table, TableCell, TableRow } from '../model.js';
import type { FilledArea, Word } from '../page-content.js';
import { directionOf } from '../prose/line.js';
import { isInside } from './figures.js';

/** Rows that may name the columns. */
const MOST_HEADER_ROWS = 4;
const WHITE = '#ffffff';

export interface TableContext {
  readonly page: number;
  readonly fills: readonly FilledArea[];
  /** Blocks of a cell's words. */
  readonly blocksOf: (words: readonly Word[], cell: FoundCell) => readonly Block[];
}

/** Converts a found table to a block. */
export function tableOf(found: FoundTable, { page, fills, blocksOf }: TableContext): Table {
  const colours = found.ruled
    ? fills
        .filter(
          ({ box }) =>
            box.right > found.box.left &&
            box.left < found.box.right &&
            box.bottom > found.box.top &&
            box.top < found.box.bottom,
        )
        .slice(-5000)
    : [];
  const rows: { cells: TableCell[]; height: number }[] = found.rowHeights.map((height) => ({ cells: [], height }));
  const looks = found.cells.map((cell) => ({ cell, words: cell.lines.flat(), fill: fillOf(cell, colours) }));
  const headerRows = headerRowsOf(found, looks);
  const aligns = found.ruled ? [] : columnAligns(found);
  for (const { cell, words, fill } of looks) {
    rows[cell.row]?.cells.push({
      column: cell.column,
      rowSpan: cell.rowSpan,
      colSpan: cell.colSpan,
      header: cell.row < headerRows,
      align: (cell.colSpan === 1 ? aligns[cell.column] : undefined) ?? alignOf(cell),
      fill,
      blocks: words.length === 0 ? [] : blocksOf(words, cell),
    });
  }
  const direction = directionOf(looks.flatMap(({ words }) => words.map(({ text }) => text)));
  return {
    kind: 'table',
    page,
    box: found.box,
    rows: rows as readonly TableRow[],
    columnWidths: found.columnWidths,
    headerRows,
    ruled: found.ruled,
    direction,
  };
}

interface Look {
  readonly cell: FoundCell;
  readonly words: readonly Word[];
  readonly fill: string | undefined;
}

/** Rows at the top that are bold where the others are not, or have a background of their own. */
function headerRowsOf({ rows }: FoundTable, looks: readonly Look[]): number {
  const byRow = Array.from({ length: rows }, (): Look[] => []);
  for (const look of looks) byRow[look.cell.row]?.push(look);
  const isBold = (row: readonly Look[]): boolean =>
    row.some(({ words }) => words.length > 0) && row.every(({ words }) => words.every(({ style }) => style.bold));
  const fillOfRow = (row: readonly Look[]): string | undefined =>
    row.length > 0 && row.every(({ fill }) => fill === row[0]!.fill) ? row[0]!.fill : undefined;
  let count = 0;
  while (count < Math.min(rows - 1, MOST_HEADER_ROWS) && isBold(byRow[count]!)) count++;
  if (count > 0 && !byRow.slice(count).every(isBold)) return reach(byRow, count);
  const first = byRow[0] === undefined ? undefined : fillOfRow(byRow[0]);
  if (first === undefined) return 0;
  let filled = 1;
  while (filled < Math.min(rows, MOST_HEADER_ROWS) && fillOfRow(byRow[filled]!) === first) filled++;
  // Rows with alternating colours are not headers.
  return filled < rows && byRow.slice(filled).every((row) => row.every(({ fill }) => fill !== first))
    ? reach(byRow, filled)
    : 0;
}

/** As many rows as the cells of the header rows span. */
function reach(byRow: readonly (readonly Look[])[], count: number): number {
  return Math.min(
    byRow.length - 1,
    Math.max(
      count,
      ...byRow
        .slice(0, count)
        .flatMap((row) => row.filter(({ words }) => words.length > 0).map(({ cell }) => cell.row + cell.rowSpan)),
    ),
  );
}

function fillOf({ box }: FoundCell, fills: readonly FilledArea[]): string | undefined {
  const found = fills.findLast(
    (fill) =>
      isInside(box, fill.box) &&
      fill.box.right - fill.box.left > 0.6 * (box.right - box.left) &&
      fill.box.bottom - fill.box.top > 0.6 * (box.bottom - box.top),
  );
  return found === undefined || found.colour === WHITE ? undefined : found.colour;
}

/** The side at which more of a column's cells stand in line; undefined where both do, or there are few. */
function columnAligns({ cells, columns, rows }: FoundTable): (Align | undefined)[] {
  const sides = Array.from({ length: columns }, (): { lefts: number[]; rights: number[] } => ({
    lefts: [],
    rights: [],
  }));
  for (const { row, column, colSpan, lines } of cells) {
    const words = lines.flat();
    if (words.length === 0 || colSpan > 1 || (row === 0 && rows > 3)) continue;
    sides[column]!.lefts.push(Math.min(...words.map(({ box }) => box.left)));
    sides[column]!.rights.push(Math.max(...words.map(({ box }) => box.right)));
  }
  return sides.map(({ lefts, rights }) => {
    const [left, right] = [inLine(lefts), inLine(rights)];
    return lefts.length < 3 || left === right ? undefined : left > right ? 'left' : 'right';
  });
}

function alignOf({ box, lines }: FoundCell): Align {
  let [left, right] = [Infinity, Infinity];
  for (const line of lines) {
    for (const word of line)
      [left, right] = [Math.min(left, word.box.left - box.left), Math.min(right, box.right - word.box.right)];
  }
  if (!Number.isFinite(left)) return 'left';
  if (Math.abs(left - right) < 0.08 * (box.right - box.left) && left > 0.1 * (box.right - box.left)) return 'center';
  return right < 8 && left > right * 2.5 && left > 12 ? 'right' : 'left';
}
