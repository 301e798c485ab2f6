/** Rows of cells, as they are written in a file of separated values. */
export type Cells = readonly (readonly string[])[];

/**
 * Reads a table in text (RFC 4180) without interpreting any cell. The separator is the given one, that of a first line
 * `sep=;`, or else comma, semicolon, tab or bar, whichever is most regular in the first lines.
 */
export function readCells(text: string, given?: string): Cells {
  const plain = text.replace(/^\uFEFF/, '');
  const named = /^sep=(.)\r?\n/i.exec(plain);
  const body = named === null ? plain : plain.slice(named[0].length);
  const separator = given ?? named?.[1] ?? separatorOf(body);
  const rows: string[][] = [];
  let row: string[] = [];
  let start = 0;
  while (start <= body.length) {
    const { cell, end } = body[start] === '"' ? quotedCell(body, start, separator) : plainCell(body, start, separator);
    row.push(cell);
    if (body[end] === separator) {
      start = end + 1;
      continue;
    }
    rows.push(row);
    row = [];
    start = end + (body.startsWith('\r\n', end) ? 2 : 1);
    if (start >= body.length) break;
  }
  return rows;
}

/** The table as UTF-8 text with commas, which needs far less memory in LibreOffice than one in XML. */
export function commaSeparated(rows: Cells): string {
  const written = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => `${row.map(written).join(',')}\n`).join('');
}

function plainCell(body: string, start: number, separator: string): { cell: string; end: number } {
  let end = start;
  while (end < body.length && body[end] !== separator && body[end] !== '\n' && body[end] !== '\r') end++;
  return { cell: body.slice(start, end), end };
}

/** A cell in quotes; what follows the closing quote up to the separator belongs to it, as spreadsheets read it. */
function quotedCell(body: string, start: number, separator: string): { cell: string; end: number } {
  let cell = '';
  let at = start + 1;
  for (;;) {
    const quote = body.indexOf('"', at);
    // Without a closing quote, the quote is a sign like any other.
    if (quote < 0) return plainCell(body, start, separator);
    cell += body.slice(at, quote);
    at = quote + 1;
    if (body[at] !== '"') break;
    cell += '"';
    at++;
  }
  const rest = plainCell(body, at, separator);
  return { cell: cell + rest.cell, end: rest.end };
}

function separatorOf(text: string): string {
  const lines = text
    .slice(0, 64 * 1024)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20);
  const score = (sign: string): number => {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const least = Math.min(...counts);
    return least === 0 ? Math.max(0, ...counts) / 1000 : least + (new Set(counts).size === 1 ? 100 : 0);
  };
  return [',', ';', '\t', '|']
    .map((sign) => ({ sign, value: score(sign) }))
    .reduce((best, other) => (other.value > best.value ? other : best)).sign;
}
