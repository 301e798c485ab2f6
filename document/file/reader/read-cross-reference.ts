import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import { CrossReference, type Entry, FREE, type Revision, type Subsection } from './cross-reference.js';
import { decodeNoting } from './decode-stream.js';
import { type ObjectReader, skipWhite } from './indirect-object.js';

/** Irregular entries are read in pieces of this many bytes. */
const CHUNK_BYTES = 256 * 1024;
/** A section without the position from which it was reached. */
type Section = Omit<Revision, 'at'>;

/** The letters n and f. */
const [IN_USE, FREE_ROW] = [0x6e, 0x66] as const;
/** Bytes of a table entry, line end included. */
const ENTRY_BYTES = 20;
/** How many bytes of its rows are searched for the end of a table. */
const CHECKED_BYTES = 8192;
const EXACT = /^\d{10} \d{5} [fn](?: \r| \n|\r\n)$/;
const LOOSE = /[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+([fn])(?![a-z])/y;

/**
 * Reads the sections from `start` through every /Prev. `base` (bytes before the header) is added to each offset.
 * Returns undefined when a section cannot be read or they form a circle. Throws PDF_XREF_TOO_LONG and the errors of
 * `parseAt`.
 */
export function readCrossReference(reader: ObjectReader, start: number, base: number): CrossReference | undefined {
  const revisions: Revision[] = [];
  const visited = new Set<number>();
  let entries = 0;
  for (let at: number | undefined = start; at !== undefined;) {
    if (visited.has(at)) return undefined;
    refuseMore('sections', revisions.length + 1, bounds.revisions);
    visited.add(at);
    const revision = readRevision(reader, at + base, base);
    if (revision === undefined) return undefined;
    revisions.push({ ...revision, at });
    for (const { count } of [...revision.subsections, ...revision.hidden]) entries += count;
    refuseMore('entries', entries, bounds.entries);
    const previous: number | undefined = numberIn(revision.trailer, 'Prev');
    at = previous !== undefined && previous > 0 ? previous : undefined;
  }
  return new CrossReference(start, revisions);
}

function refuseMore(what: 'sections' | 'entries', found: number, limit: number): void {
  if (found > limit) throw new DocumentError('PDF_XREF_TOO_LONG', { what, found, limit });
}

function readRevision(reader: ObjectReader, position: number, base: number): Section | undefined {
  const at = skipWhite(reader.windows, position);
  if (at >= reader.windows.size || position < 0) return undefined;
  return reader.windows.text(at, at + 4) === 'xref' ? readTable(reader, at + 4, base) : readStream(reader, at, base);
}

function readTable(reader: ObjectReader, afterKeyword: number, base: number): Section | undefined {
  const { windows } = reader;
  const subsections: Subsection[] = [];
  let at = skipWhite(windows, afterKeyword);
  for (;;) {
    const head = /^(\d{1,10})[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]*/.exec(windows.text(at, at + 64));
    if (head === null) break;
    const [first, count] = [Number(head[1]), Number(head[2])];
    if (count * 10 > windows.size - at) return undefined;
    const entriesAt = at + head[0].length;
    const read =
      exactEntries(reader, entriesAt, first, count, base) ?? looseEntries(reader, entriesAt, first, count, base);
    if (read === undefined) return undefined;
    if (read.count > 0) subsections.push(read);
    at = skipWhite(windows, read.end);
  }
  if (windows.text(at, at + 7) !== 'trailer') return undefined;
  const { object: trailer, broken = false } = reader.parseAt(skipWhite(windows, at + 7)) ?? {};
  if (!(trailer instanceof PDFDict)) return undefined;
  const beside = numberIn(trailer, 'XRefStm');
  const hidden = beside === undefined || beside <= 0 ? undefined : readStream(reader, beside + base, base);
  return { form: 'table', subsections, hidden: hidden?.subsections ?? [], trailer, broken };
}

/**
 * Entries of exactly twenty bytes need not be read in advance; the first, the last and the text after them are checked.
 */
function exactEntries(
  { windows }: ObjectReader,
  at: number,
  declared: number,
  count: number,
  base: number,
): (Subsection & { end: number }) | undefined {
  const end = at + count * ENTRY_BYTES;
  if (count === 0) return { first: declared, count, entry: () => undefined, end };
  if (
    end > windows.size ||
    !EXACT.test(windows.text(at, at + ENTRY_BYTES)) ||
    !/^\d{10} \d{5} [fn]/.test(windows.text(end - ENTRY_BYTES, end))
  )
    return undefined;
  if (!/^(?:trailer|\d+[ \r\n])/.test(windows.text(skipWhite(windows, end), skipWhite(windows, end) + 12)))
    return undefined;
  // A table that declares more rows than it has must not reach into the table of an update.
  if (windows.text(at, Math.min(end, at + CHECKED_BYTES)).includes('trailer')) return undefined;
  // A table that claims to begin with object 1, though its first entry is the head of the free list, begins with 0.
  const first = declared === 1 && windows.text(at, at + 18) === '0000000000 65535 f' ? 0 : declared;
  const { whole } = windows;
  const entry = (index: number): Entry | undefined => {
    const rowAt = at + index * ENTRY_BYTES;
    const row = whole ?? windows.bytes(rowAt, rowAt + ENTRY_BYTES);
    const from = whole === undefined ? 0 : rowAt;
    const offset = digits(row, from, from + 10);
    const generation = digits(row, from + 11, from + 16);
    const kind = row[from + 17];
    // An unreadable row leads to itself, where no object is, so that the file is searched for the object.
    return Number.isNaN(offset + generation) || (kind !== IN_USE && kind !== FREE_ROW)
      ? { kind: 'at', position: rowAt, generation: Number.isNaN(generation) ? 0 : generation }
      : tableEntry(offset, generation, kind !== IN_USE, base);
  };
  return { first, count, entry, end };
}

/** A number of exactly this many digits, or NaN. */
function digits(row: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = (row[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Entries of any length, read at once and stored as numbers; there may be fewer than declared. */
function looseEntries(
  { windows }: ObjectReader,
  at: number,
  declared: number,
  count: number,
  base: number,
): (Subsection & { end: number }) | undefined {
  refuseMore('entries', count, bounds.entries);
  const offsets = new Float64Array(count);
  const generations = new Uint32Array(count);
  let [found, from] = [0, at];
  for (let stuck = false; found < count && !stuck;) {
    const text = windows.text(from, from + CHUNK_BYTES);
    stuck = true;
    LOOSE.lastIndex = 0;
    for (let match = LOOSE.exec(text), end = 0; ; match = LOOSE.exec(text)) {
      // A row at the very end of a piece may continue in the next.
      const cut = match !== null && LOOSE.lastIndex === text.length && from + text.length < windows.size;
      if (match === null || cut || found >= count) {
        from += end;
        break;
      }
      offsets[found] = match[3] === 'f' ? 0 : Number(match[1]);
      generations[found++] = Number(match[2]);
      end = LOOSE.lastIndex;
      stuck = false;
    }
  }
  if (found === 0) return undefined;
  const first =
    declared === 1 && generations[0] === 65_535 && /^[\0\t\n\f\r ]*0{10} 65535 f/.test(windows.text(at, at + 64))
      ? 0
      : declared;
  return {
    first,
    count: found,
    entry: (index) => tableEntry(offsets[index] ?? 0, generations[index] ?? 0, false, base),
    end: from,
  };
}

function tableEntry(offset: number, generation: number, free: boolean, base: number): Entry {
  return free || offset === 0 ? FREE : { kind: 'at', position: offset + base, generation };
}

function readStream(reader: ObjectReader, position: number, base: number): Section | undefined {
  // The middle of an object's number cannot be the start: the offset was counted from another base.
  if (position > 0 && /\d/.test(reader.windows.text(position - 1, position))) return undefined;
  const header = reader.header(position);
  const { object: stream, broken = false } = (header && reader.parseAt(header.bodyAt)) ?? {};
  if (!(stream instanceof PDFRawStream) || !stream.dict.has(PDFName.of('W'))) return undefined;
  const widths = numbersIn(stream.dict, 'W');
  const [w0 = 0, w1 = 0, w2 = 0] = widths;
  const width = w0 + w1 + w2;
  if (widths.length < 3 || widths.some((each) => !Number.isInteger(each) || each < 0 || each > 8) || width === 0)
    return undefined;
  const decoded = decodeNoting(stream, (value) => value);
  // Rows after the damage could lead anywhere; the file is scanned instead.
  if (decoded === undefined || decoded.damaged) return undefined;
  const { data } = decoded;
  const number = (from: number, length: number): number => {
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + (data[from + i] ?? 0);
    return value;
  };
  // In a file without a header, the first object may begin at the first byte.
  const atFront = /^\d/.test(reader.windows.text(base, base + 1));
  const entry = (from: number): Entry | undefined => {
    const kind = w0 === 0 ? 1 : number(from, w0);
    const [second, third] = [number(from + w0, w1), number(from + w0 + w1, w2)];
    if (kind === 1) return second === 0 && !atFront ? FREE : { kind: 'at', position: second + base, generation: third };
    return kind === 2 ? { kind: 'in', stream: second, index: third } : FREE;
  };
  const index = numbersIn(stream.dict, 'Index');
  const pairs = index.length >= 2 ? index : [0, numberIn(stream.dict, 'Size') ?? 0];
  const subsections: Subsection[] = [];
  // Strict readers go by the type.
  let [from, irregular] = [0, broken || stream.dict.get(PDFName.of('Type')) !== PDFName.of('XRef')];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [first = 0, declared = 0] = [pairs[i], pairs[i + 1]];
    const count = Math.min(declared, Math.floor((data.length - from) / width));
    irregular ||= count < declared;
    if (!(first >= 0) || !(count > 0)) continue;
    const begin = from;
    subsections.push({ first, count, entry: (at) => entry(begin + at * width) });
    irregular ||= w0 === 1 && hasUnknownType(data, from, count, width);
    from += count * width;
  }
  return { form: 'stream', subsections, hidden: [], trailer: stream.dict, broken: irregular };
}

/** Rows of other types than 0 to 2 count as null (ISO 32000-1, 7.5.8.3); strict readers refuse them. */
function hasUnknownType(data: Uint8Array, from: number, count: number, width: number): boolean {
  for (let row = 0, at = from; row < count; row++, at += width) if ((data[at] ?? 0) > 2) return true;
  return false;
}

/** A whole number; damage can leave a fraction, and object numbers such as 110.4 do not exist. */
function numberIn(dict: PDFDict, key: string): number | undefined {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFNumber ? Math.trunc(value.asNumber()) : undefined;
}

function numbersIn(dict: PDFDict, key: string): number[] {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFArray
    ? value.asArray().map((each) => (each instanceof PDFNumber ? Math.trunc(each.asNumber()) : Number.NaN))
    : [];
}
