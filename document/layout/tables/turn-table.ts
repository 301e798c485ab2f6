import type { FoundCell, FoundTable } from './model.js';

/**
 * Returns a table as it is read if its text is rotated by `angle` (as `Word.angle`) on the page: rows become columns.
 */
export function turnTable(table: FoundTable, angle: FoundTable['angle']): FoundTable {
  if (angle === 0) return table;
  const { rows, columns, columnWidths, rowHeights } = table;
  const turned = (cell: FoundCell): FoundCell => {
    const { row, column, rowSpan, colSpan } = cell;
    switch (angle) {
      case 90:
        return { ...cell, row: column, column: rows - row - rowSpan, rowSpan: colSpan, colSpan: rowSpan };
      case 270:
        return { ...cell, row: columns - column - colSpan, column: row, rowSpan: colSpan, colSpan: rowSpan };
      default:
        return { ...cell, row: rows - row - rowSpan, column: columns - column - colSpan };
    }
  };
  const upright = angle === 180;
  return {
    ...table,
    angle,
    cells: table.cells.map(turned).sort((a, b) => a.row - b.row || a.column - b.column),
    rows: upright ? rows : columns,
    columns: upright ? columns : rows,
    columnWidths: upright ? columnWidths.toReversed() : angle === 90 ? rowHeights.toReversed() : rowHeights,
    rowHeights: upright ? rowHeights.toReversed() : angle === 90 ? columnWidths : columnWidths.toReversed(),
  };
}
