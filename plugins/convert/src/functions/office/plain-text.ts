import { decodeWindows1252 } from '@quire/document/file/charsets';

const BOM = '\uFEFF';

/**
 * Text in the encoding that its bytes are in: by byte order mark, else UTF-8, else UTF-16 without a mark, else
 * windows-1252.
 */
export function decodeText(data: Buffer): string {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le').decode(data);
  if (data[0] === 0xfe && data[1] === 0xff) return new TextDecoder('utf-16be').decode(data);
  const sample = data.subarray(0, 4096 & ~1);
  const zeros = [0, 1].map((parity) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length);
  // Text of Latin letters in UTF-16 has a zero in every other byte.
  if (sample.length >= 4 && (zeros[1] ?? 0) > sample.length / 4 && zeros[0] === 0)
    return new TextDecoder('utf-16le').decode(data);
  if (sample.length >= 4 && (zeros[0] ?? 0) > sample.length / 4 && zeros[1] === 0)
    return new TextDecoder('utf-16be').decode(data);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return decodeWindows1252(data);
  }
}

/** Encodes text as UTF-8 with a byte order mark, which LibreOffice recognises. */
export function markedText(text: string): Buffer {
  return Buffer.from(BOM + text.replace(/^\uFEFF/, ''), 'utf8');
}

/**
 * A table in text whose cells commas part, whatever parted them: comma, semicolon, tab or bar, whichever is most
 * regular in the first lines (RFC 4180).
 */
export function withCommas(text: string): string {
  const named = /^\uFEFF?sep=(.)\r?\n/i.exec(text);
  const body = named === null ? text : text.slice(named[0].length);
  const separator = named?.[1] ?? separatorOf(body);
  if (separator === ',') return body;
  let quoted = false;
  let cell = '';
  const cells: string[] = [];
  const put = (end: string): void => {
    cells.push(cell.startsWith('"') || !/[,"]/.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`, end);
    cell = '';
  };
  for (const sign of body) {
    if (sign === '"' && (quoted || cell === '')) quoted = !quoted;
    else if (sign === '"' && cell.startsWith('"')) quoted = true;
    if (!quoted && sign === separator) put(',');
    else if (!quoted && sign === '\n') put('\n');
    else cell += sign;
  }
  put('');
  return cells.join('');
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
