import { withPages } from '../../../layout/index.js';
import { findRuledTables, type FoundTable, linesText } from '../../../layout/tables/index.js';

/** An expected cell: its text alone, or with its spans. */
export type CellTruth = string | { readonly text: string; readonly rowSpan?: number; readonly colSpan?: number };

/** A table as people read it: each row lists the cells that begin in it. */
export type TableTruth = readonly (readonly CellTruth[])[];

/** Finds the ruled tables of pages (all by default) of a document, in order. */
export async function ruledTables(input: Uint8Array | string, only?: readonly number[]): Promise<FoundTable[]> {
  return withPages(typeof input === 'string' ? { path: input } : input, ({ reader, pageCount }) =>
    (only ?? Array.from({ length: pageCount }, (_, i) => i + 1)).flatMap((page) =>
      findRuledTables(reader.read(page - 1)),
    ),
  );
}

/** The rows of a table as texts, merged cells as `text {rows x columns}`. */
export function rowsOf(table: FoundTable): string[][] {
  return Array.from({ length: table.rows }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .map(
        ({ lines, rowSpan, colSpan }) =>
          `${linesText(lines)}${rowSpan + colSpan > 2 ? ` {${rowSpan}x${colSpan}}` : ''}`,
      ),
  );
}

/** The same of what is expected. */
export function expectedRows(truth: TableTruth): string[][] {
  return truth.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell : `${cell.text} {${cell.rowSpan ?? 1}x${cell.colSpan ?? 1}}`)),
  );
}

/** How many cells of the truth were found in their place with their text and spans. */
export function rightCells(
  found: readonly FoundTable[],
  truth: readonly TableTruth[],
): { readonly right: number; readonly all: number; readonly wrong: readonly string[] } {
  let [right, all] = [0, 0];
  const wrong: string[] = [];
  for (const [t, table] of truth.entries()) {
    const rows = found[t] === undefined ? [] : rowsOf(found[t]);
    for (const [r, row] of expectedRows(table).entries()) {
      for (const [c, cell] of row.entries()) {
        all++;
        if (rows[r]?.[c] === cell) right++;
        else wrong.push(`table ${t + 1} row ${r + 1}: ${cell} is ${rows[r]?.[c] ?? 'missing'}`);
      }
    }
  }
  return { right, all, wrong };
}
