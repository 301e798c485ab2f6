import { DocumentError } from '@quire/document';
import { type FoundCell, type FoundTable, fromRight, linesText, sheetText } from '@quire/document/layout/tables';
import writeExcelFile, { type CellObject, type Row, type Sheet } from 'write-excel-file/node';
import type { DocumentTable } from './read-tables.js';
import { sheetName } from './sheet-name.js';

/** Cells of one workbook, which is in memory until the file is complete. */
const MAX_CELLS = 2_000_000;
/** Narrowest and widest column in letters. */
const [MIN_WIDTH, MAX_WIDTH] = [4, 100];
/** Points of a letter in the font of sheets, by which columns are measured, at 11 points. */
const LETTER = 5.25;

/**
 * Collects tables as the sheets of a workbook. All cells are text; merged cells stay merged, bold ones bold; columns
 * are as wide as on the page.
 */
export class Workbook {
  readonly #sheets: Sheet<never>[] = [];
  readonly #names = new Set<string>();
  #cells = 0;

  /** Adds a sheet named after the page. Errors: INPUT_TOO_COMPLEX beyond two million cells in all. */
  add({ page, number, ofPage, table }: DocumentTable): void {
    this.#cells += table.rows * table.columns;
    if (this.#cells > MAX_CELLS)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'table cells', limit: MAX_CELLS });
    this.#sheets.push({
      sheet: sheetName(ofPage === 1 ? `Page ${page}` : `Page ${page} Table ${number}`, this.#names),
      columns: table.columnWidths.map((points) => ({
        width: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, points / LETTER))),
      })),
      rightToLeft: isFromRight(table),
      data: rowsOf(table),
    });
  }

  /** Writes the file; there must be a sheet. */
  async write(path: string): Promise<void> {
    await writeExcelFile(this.#sheets).toFile(path);
  }
}

function rowsOf({ rows, columns, cells }: FoundTable): Row[] {
  const made: (CellObject | null)[][] = Array.from({ length: rows }, () =>
    new Array<CellObject | null>(columns).fill(null),
  );
  for (const cell of cells) made[cell.row]![cell.column] = cellOf(cell);
  return made;
}

function cellOf({ lines, rowSpan, colSpan }: FoundCell): CellObject {
  const words = lines.flat();
  return {
    type: String,
    value: sheetText(linesText(lines)),
    wrap: lines.length > 1,
    alignVertical: 'top',
    ...(rowSpan > 1 ? { rowSpan } : {}),
    ...(colSpan > 1 ? { columnSpan: colSpan } : {}),
    ...(words.length > 0 && words.every(({ style }) => style.bold) ? { fontWeight: 'bold' as const } : {}),
  };
}

function isFromRight({ cells }: FoundTable): boolean {
  return fromRight(cells.flatMap(({ lines }) => lines.flat()));
}
