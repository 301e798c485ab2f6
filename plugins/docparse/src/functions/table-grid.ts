import { blockText, type Table, type TableCell } from '@quire/document/layout';

/** A cell, the only one of all places that it spans. */
export interface ParsedCell {
  /** 0-based place of its upper left corner. */
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
  /** Names a column or row. */
  readonly header: boolean;
  /** Its blocks, separated by line feeds. */
  readonly text: string;
}

/** A table as rows of texts. */
export interface ParsedTable {
  readonly columns: number;
  /** Rows at the top that name the columns. */
  readonly headerRows: number;
  /** Every row has a text for each column; a merged cell has its text in its first position. */
  readonly rows: readonly (readonly string[])[];
  /** From the first row to the last. */
  readonly cells: readonly ParsedCell[];
}

/** The texts of a table, row by row. */
export function parseTable({ rows, columnWidths, headerRows }: Table): ParsedTable {
  // Tables that go on over thousands of pages have more rows than a call has arguments.
  const columns = rows.reduce(
    (most, { cells }) => cells.reduce((wide, { column }) => Math.max(wide, column + 1), most),
    columnWidths.length,
  );
  const cells = rows.flatMap((row, at) =>
    row.cells.map((cell): ParsedCell => ({
      row: at,
      column: cell.column,
      rowSpan: cell.rowSpan,
      colSpan: cell.colSpan,
      header: cell.header,
      text: cellText(cell),
    })),
  );
  const grid = rows.map(() => new Array<string>(columns).fill(''));
  for (const { row, column, text } of cells) grid[row]![column] = text;
  return { columns, headerRows, rows: grid, cells };
}

function cellText({ blocks }: TableCell): string {
  return blocks
    .map((block) => blockText(block).trim())
    .filter((text) => text !== '')
    .join('\n');
}
