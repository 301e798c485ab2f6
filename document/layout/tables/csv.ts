/**
 * Writes rows of texts as CSV (RFC 4180): commas, lines ended by CR LF, every field quoted, quotes doubled, UTF-8
 * without byte order mark. What begins like a formula is not changed, since nobody evaluates it here and readers want
 * what is printed.
 */
export function csvOf(rows: readonly (readonly string[])[]): Uint8Array {
  return Buffer.from(
    rows.map((record) => `${record.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\r\n`).join(''),
    'utf8',
  );
}
