import type { Align, Block, Table as LayoutTable, TableCell as LayoutCell } from '@quire/document/layout';
import type { FileChild, IBorderOptions, Table, TableCell } from 'docx';
import { twips, type WordState } from './word-state.js';

const PADDING = 4;

/** Converts the content of a cell into paragraphs and tables. */
export type CellBlocks = (
  blocks: readonly Block[],
  place: { readonly width: number; readonly align: Align },
) => Promise<FileChild[]>;

/**
 * Turns a table into one of the same columns, merged cells included; rows that name the columns are repeated on every
 * page.
 */
export async function wordTable(table: LayoutTable, state: WordState, cellBlocks: CellBlocks): Promise<Table> {
  const { docx } = state;
  const rows = [];
  for (const [i, { cells, height }] of table.rows.entries()) {
    const children: TableCell[] = [];
    for (const cell of cells) children.push(await tableCell(cell, table, state, cellBlocks));
    // A row must not be empty, but it is if all of its cells began in a row above.
    if (children.length === 0)
      children.push(new docx.TableCell({ columnSpan: table.columnWidths.length, children: [new docx.Paragraph({})] }));
    rows.push(
      new docx.TableRow({
        children,
        ...(i < table.headerRows ? { tableHeader: true } : {}),
        height: { value: twips(Math.max(1, height)), rule: docx.HeightRule.ATLEAST },
        cantSplit: true,
      }),
    );
  }
  const line: IBorderOptions = table.ruled
    ? { style: docx.BorderStyle.SINGLE, size: 4, color: '000000' }
    : { style: docx.BorderStyle.NONE, size: 0, color: 'auto' };
  return new docx.Table({
    rows,
    columnWidths: table.columnWidths.map((width) => Math.max(1, twips(width))),
    layout: docx.TableLayoutType.FIXED,
    width: { size: twips(table.columnWidths.reduce((sum, width) => sum + width, 0)), type: docx.WidthType.DXA },
    borders: { top: line, bottom: line, left: line, right: line, insideHorizontal: line, insideVertical: line },
    ...(table.direction === 'rtl' ? { visuallyRightToLeft: true } : {}),
  });
}

async function tableCell(
  cell: LayoutCell,
  table: LayoutTable,
  state: WordState,
  cellBlocks: CellBlocks,
): Promise<TableCell> {
  const { docx } = state;
  const width = table.columnWidths
    .slice(cell.column, cell.column + cell.colSpan)
    .reduce((sum, column) => sum + column, 0);
  const children = await cellBlocks(cell.blocks, { width: Math.max(1, width - 2 * PADDING), align: cell.align });
  return new docx.TableCell({
    // A cell ends with a paragraph (ECMA-376-1, 17.4.65).
    children:
      children.length === 0 || children.at(-1) instanceof docx.Table
        ? [...(children as never[]), new docx.Paragraph({})]
        : (children as never[]),
    width: { size: twips(width), type: docx.WidthType.DXA },
    margins: { left: twips(PADDING), right: twips(PADDING), top: 0, bottom: 0, marginUnitType: docx.WidthType.DXA },
    ...(cell.colSpan > 1 ? { columnSpan: cell.colSpan } : {}),
    ...(cell.rowSpan > 1 ? { rowSpan: cell.rowSpan } : {}),
    ...(cell.fill === undefined
      ? {}
      : { shading: { type: docx.ShadingType.CLEAR, color: 'auto', fill: cell.fill.slice(1) } }),
  });
}
