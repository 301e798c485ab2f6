import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import { decodeStream } from './decode-stream.js';
import { type ObjectReader, skipWhite } from './indirect-object.js';

/** Where an object is (ISO 32000-1, 7.5.4 and 7.5.8): nowhere, at a place of the file, or in an object stream. */
export type Entry =
  | { readonly kind: 'free' }
  | { readonly kind: 'at'; readonly position: number; readonly generation: number }
  | { readonly kind: 'in'; readonly stream: number; readonly index: number };

/** Consecutive object numbers; an entry is read when it is asked for. */
export interface Subsection {
  readonly first: number;
  readonly count: number;
  readonly entry: (index: number) => Entry | undefined;
}

/** One cross-reference section with its trailer. `hidden` are the entries of a hybrid file's stream (ISO 32000-1, 7.5.8.4). */
interface Revision {
  readonly form: 'table' | 'stream';
  readonly subsections: readonly Subsection[];
  readonly hidden: readonly Subsection[];
  readonly trailer: PDFDict;
}

/** A chain longer than this comes from nobody in good faith. */
const MAX_REVISIONS = 10_000;
/** More subsections than this are looked up by an index made once. */
const FEW = 32;
/** An entry of a table is twenty bytes, line end included. */
const ENTRY = 20;
const EXACT = /^\d{10} \d{5} [fn](?: \r| \n|\r\n)$/;
const LOOSE = /[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+([fn])(?![a-z])/y;
const FREE: Entry = { kind: 'free' };

/** All that a file's cross-reference says, the newest first. */
export class CrossReference {
  #index: Map<number, Entry> | undefined;

  constructor(
    /** Where the newest section begins: the /Prev of the next one. */
    readonly start: number,
    readonly revisions: readonly Revision[],
  ) {}

  /** How the newest section is written. */
  get form(): 'table' | 'stream' {
    return this.revisions[0]?.form ?? 'table';
  }

  /** The newest trailer that names a catalog. */
  get trailer(): PDFDict | undefined {
    return (this.revisions.find(({ trailer }) => trailer.has(PDFName.of('Root'))) ?? this.revisions[0])?.trailer;
  }

  /** The largest object number that is spoken of. */
  get largest(): number {
    return this.#all().reduce((most, { first, count }) => (count > 0 ? Math.max(most, first + count - 1) : most), 0);
  }

  /** Where an object is, by its newest entry. */
  find(number: number): Entry | undefined {
    if (this.#index !== undefined) return this.#index.get(number);
    if (this.#all().length > FEW) {
      this.#index = new Map([...this.numbers()].map((each) => [each, this.#seek(each) ?? FREE]));
      return this.#index.get(number);
    }
    return this.#seek(number);
  }

  /** Every object number that has an entry. */
  *numbers(): Iterable<number> {
    const seen = new Set<number>();
    for (const { first, count } of this.#all()) {
      for (let number = first; number < first + count; number++) {
        if (seen.has(number)) continue;
        seen.add(number);
        yield number;
      }
    }
  }

  #all(): Subsection[] {
    return this.revisions.flatMap(({ subsections, hidden }) => [...subsections, ...hidden]);
  }

  #seek(number: number): Entry | undefined {
    for (const { subsections, hidden } of this.revisions) {
      const own = entryOf(subsections, number);
      if (own !== undefined && own.kind !== 'free') return own;
      const other = entryOf(hidden, number) ?? own;
      if (other !== undefined) return other;
    }
    return undefined;
  }
}

function entryOf(subsections: readonly Subsection[], number: number): Entry | undefined {
  for (const { first, count, entry } of subsections) if (number >= first && number < first + count) return entry(number - first);
  return undefined;
}

/**
 * Reads the sections from `start` through every /Prev. `base` is added to each offset (bytes before the header).
 * Gives undefined when one of them cannot be read or they run in a circle. Error: INPUT_TOO_COMPLEX.
 */
export function readCrossReference(reader: ObjectReader, start: number, base: number): CrossReference | undefined {
  const revisions: Revision[] = [];
  const visited = new Set<number>();
  for (let at: number | undefined = start; at !== undefined; ) {
    if (visited.has(at) || revisions.length >= MAX_REVISIONS) return undefined;
    visited.add(at);
    const revision = readRevision(reader, at + base, base);
    if (revision === undefined) return undefined;
    revisions.push(revision);
    const previous: number | undefined = numberIn(revision.trailer, 'Prev');
    at = previous !== undefined && previous > 0 ? previous : undefined;
  }
  return new CrossReference(start, revisions);
}

function readRevision(reader: ObjectReader, position: number, base: number): Revision | undefined {
  const at = skipWhite(reader.windows, position);
  if (at >= reader.windows.size || position < 0) return undefined;
  return reader.windows.text(at, at + 4) === 'xref' ? readTable(reader, at + 4, base) : readStream(reader, at, base);
}

function readTable(reader: ObjectReader, afterKeyword: number, base: number): Revision | undefined {
  const { windows } = reader;
  const subsections: Subsection[] = [];
  let at = skipWhite(windows, afterKeyword);
  for (;;) {
    const head = /^(\d{1,10})[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]*/.exec(windows.text(at, at + 64));
    if (head === null) break;
    const [first, count] = [Number(head[1]), Number(head[2])];
    if (count * 10 > windows.size - at) return undefined;
    const entriesAt = at + head[0].length;
    const read = exactEntries(reader, entriesAt, first, count, base) ?? looseEntries(reader, entriesAt, first, count, base);
    if (read === undefined) return undefined;
    if (read.count > 0) subsections.push(read);
    at = skipWhite(windows, read.end);
  }
  if (windows.text(at, at + 7) !== 'trailer') return undefined;
  const trailer = reader.parseAt(skipWhite(windows, at + 7))?.object;
  if (!(trailer instanceof PDFDict)) return undefined;
  const beside = numberIn(trailer, 'XRefStm');
  const hidden = beside === undefined || beside <= 0 ? undefined : readStream(reader, beside + base, base);
  return { form: 'table', subsections, hidden: hidden?.subsections ?? [], trailer };
}

/** Entries of exactly twenty bytes need not be read before they are asked for; the first, the last and what follows show that they are. */
function exactEntries({ windows }: ObjectReader, at: number, declared: number, count: number, base: number): (Subsection & { end: number }) | undefined {
  const end = at + count * ENTRY;
  if (count === 0) return { first: declared, count, entry: () => undefined, end };
  if (end > windows.size || !EXACT.test(windows.text(at, at + ENTRY)) || !/^\d{10} \d{5} [fn]/.test(windows.text(end - ENTRY, end))) return undefined;
  if (!/^(?:trailer|\d+[ \r\n])/.test(windows.text(skipWhite(windows, end), skipWhite(windows, end) + 12))) return undefined;
  // A table that says that it begins with object 1 though its first entry is the head of the free list begins with 0.
  const first = declared === 1 && windows.text(at, at + 18) === '0000000000 65535 f' ? 0 : declared;
  const entry = (index: number): Entry | undefined => {
    const match = /^(\d{10}) (\d{5}) ([fn])/.exec(windows.text(at + index * ENTRY, at + (index + 1) * ENTRY));
    return match === null ? undefined : tableEntry(Number(match[1]), Number(match[2]), match[3] === 'f', base);
  };
  return { first, count, entry, end };
}

function looseEntries({ windows }: ObjectReader, at: number, declared: number, count: number, base: number): (Subsection & { end: number }) | undefined {
  const text = windows.text(at, at + count * 40 + 64);
  const entries: Entry[] = [];
  LOOSE.lastIndex = 0;
  let end = 0;
  for (let match = LOOSE.exec(text); match !== null && entries.length < count; match = LOOSE.exec(text)) {
    entries.push(tableEntry(Number(match[1]), Number(match[2]), match[3] === 'f', base));
    end = LOOSE.lastIndex;
  }
  LOOSE.lastIndex = 0;
  if (entries.length === 0) return undefined;
  const first = declared === 1 && /^[\0\t\n\f\r ]*0{10} 65535 f/.test(text) ? 0 : declared;
  return { first, count: entries.length, entry: (index) => entries[index], end: at + end };
}

function tableEntry(offset: number, generation: number, free: boolean, base: number): Entry {
  return free || offset === 0 ? FREE : { kind: 'at', position: offset + base, generation };
}

function readStream(reader: ObjectReader, position: number, base: number): Revision | undefined {
  const header = reader.header(position);
  const stream = header === undefined ? undefined : reader.parseAt(header.bodyAt)?.object;
  if (!(stream instanceof PDFRawStream) || !stream.dict.has(PDFName.of('W'))) return undefined;
  const widths = numbersIn(stream.dict, 'W');
  const [w0 = 0, w1 = 0, w2 = 0] = widths;
  const width = w0 + w1 + w2;
  if (widths.length < 3 || widths.some((each) => !Number.isInteger(each) || each < 0 || each > 8) || width === 0) return undefined;
  const data = decodeStream(stream, (value) => value);
  if (data === undefined) return undefined;
  const number = (from: number, length: number): number => {
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + (data[from + i] ?? 0);
    return value;
  };
  const entry = (from: number): Entry | undefined => {
    const kind = w0 === 0 ? 1 : number(from, w0);
    const [second, third] = [number(from + w0, w1), number(from + w0 + w1, w2)];
    if (kind === 1) return second === 0 ? FREE : { kind: 'at', position: second + base, generation: third };
    return kind === 2 ? { kind: 'in', stream: second, index: third } : FREE;
  };
  const index = numbersIn(stream.dict, 'Index');
  const pairs = index.length >= 2 ? index : [0, numberIn(stream.dict, 'Size') ?? 0];
  const subsections: Subsection[] = [];
  let from = 0;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const first = pairs[i] ?? 0;
    const count = Math.min(pairs[i + 1] ?? 0, Math.floor((data.length - from) / width));
    if (!(first >= 0) || !(count > 0)) continue;
    const begin = from;
    subsections.push({ first, count, entry: (at) => entry(begin + at * width) });
    from += count * width;
  }
  return { form: 'stream', subsections, hidden: [], trailer: stream.dict };
}

function numberIn(dict: PDFDict, key: string): number | undefined {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function numbersIn(dict: PDFDict, key: string): number[] {
  const value = dict.get(PDFName.of(key));
  return value instanceof PDFArray ? value.asArray().map((each) => (each instanceof PDFNumber ? each.asNumber() : Number.NaN)) : [];
}
