import { csvOf, type FoundTable, linesText } from '@quire/document/layout/tables';

/**
 * Writes a table as CSV. A merged cell has its text in its first position, the others are empty. Lines of a cell are
 * separated by a line feed within the quotes.
 */
export function tableCsv({ rows, columns, cells }: FoundTable): Uint8Array {
  const fields = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const { row, column, lines } of cells) fields[row]![column] = linesText(lines);
  return csvOf(fields);
}
