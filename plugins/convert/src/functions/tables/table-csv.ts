import { type FoundTable, linesText } from '@quire/document/tables';

/**
 * Writes a table as CSV (RFC 4180): commas, lines ended by CR LF, every field quoted, quotes doubled, UTF-8 without byte order mark. A merged cell's text stands
 * in its first place, the others are empty. Lines of a cell are parted by a line feed within the quotes. Text is that of the page: what begins like a formula
 * is not changed, since nobody evaluates it here and readers want what is printed.
 */
export function tableCsv({ rows, columns, cells }: FoundTable): Uint8Array {
  const fields = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const { row, column, lines } of cells) fields[row]![column] = linesText(lines);
  return Buffer.from(fields.map((record) => `${record.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\r\n`).join(''), 'utf8');
}
