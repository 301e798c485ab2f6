import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef, PDFString } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import type { LazyDocument } from '../reader/index.js';

/** What an update writes about one object. */
type Line =
  | { readonly kind: 'free' }
  | { readonly kind: 'at'; readonly position: number; readonly generation: number }
  | { readonly kind: 'in'; readonly stream: number; readonly index: number };

/** Entries of a trailer that belong to the section they were read from, or that this writes itself (ISO 32000-1, tables 15 and 17). */
const OWN_KEYS = ['Prev', 'XRefStm', 'Size', 'Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length', 'DL', 'F', 'FFilter', 'FDecodeParms'].map((key) => PDFName.of(key));
const ID = PDFName.of('ID');

/**
 * Gives the bytes to put behind a document, untouched in front, so that `changed` objects are replaced and `added` ones there: an
 * incremental update (ISO 32000-1, 7.5.6) with a cross-reference of the original's form; the second half of /ID changes with the content.
 * After a recovery the cross-reference is written whole, as a stream, since the original's cannot be continued.
 * Changed objects are given by the reference the document knows them by, new ones by `document.context.nextRef()` or `register`.
 * Error: PDF_ENCRYPTION_UNSUPPORTED for an encrypted document, whose new strings would have to be encrypted.
 */
export function appendChanges(document: LazyDocument, changed: ReadonlyMap<PDFRef, PDFObject>, added: ReadonlyMap<PDFRef, PDFObject> = new Map()): Uint8Array {
  if (document.encrypted) throw new DocumentError('PDF_ENCRYPTION_UNSUPPORTED', { detail: 'encrypted documents are not appended to yet' });
  const tail = new Tail(document.windows.size);
  const lines = new Map<number, Line>();
  tail.text('\n');
  const objects = [...new Map([...changed, ...added])].sort(([a], [b]) => a.objectNumber - b.objectNumber);
  for (const [ref, object] of objects) {
    lines.set(ref.objectNumber, { kind: 'at', position: tail.position - document.base, generation: ref.generationNumber });
    tail.object(ref, object);
  }
  const before = document.continuable ? document.crossReference : undefined;
  if (before === undefined) addOldLines(document, lines);
  const trailer = newTrailer(document, tail.bytes());
  if (before !== undefined) trailer.set(PDFName.of('Prev'), PDFNumber.of(before.start));
  const largest = Math.max(document.context.largestObjectNumber, objects.at(-1)?.[0].objectNumber ?? 0);
  if (before?.form === 'table') writeTable(tail, document.base, lines, trailer, largest + 1);
  else writeStream(tail, document.base, lines, trailer, largest + 1);
  return tail.bytes();
}

/** After a recovery: every object that was found, where it was found. */
function addOldLines(document: LazyDocument, lines: Map<number, Line>): void {
  // A look at each object puts right what stands elsewhere than the file says.
  const numbers = [...document.references()].map((ref) => (document.lookup(ref), ref.objectNumber));
  for (const number of numbers) {
    const entry = document.entry(number);
    if (entry === undefined || lines.has(number)) continue;
    lines.set(number, entry.kind === 'at' ? { ...entry, position: entry.position - document.base } : entry);
  }
}

function newTrailer(document: LazyDocument, content: Uint8Array): PDFDict {
  const trailer = PDFDict.withContext(document.context);
  for (const [key, value] of document.trailer.entries()) if (!OWN_KEYS.includes(key)) trailer.set(key, value);
  const value = document.trailer.get(ID);
  const id = value instanceof PDFRef ? document.lookup(value) : value;
  const first = id instanceof PDFArray ? id.get(0) : undefined;
  if (id instanceof PDFArray && (first instanceof PDFHexString || first instanceof PDFString)) {
    const hash = createHash('md5').update(id.toString()).update(content).digest('hex');
    const changed = PDFArray.withContext(document.context);
    changed.push(first);
    changed.push(PDFHexString.of(hash));
    trailer.set(ID, changed);
  }
  return trailer;
}

function writeTable(tail: Tail, base: number, lines: ReadonlyMap<number, Line>, trailer: PDFDict, size: number): void {
  const start = tail.position - base;
  tail.text('xref\n');
  if (lines.size === 0) tail.text('0 0\n');
  for (const [first, run] of runs(lines)) {
    tail.text(`${first} ${run.length}\n`);
    for (const line of run) {
      const [number, generation] = line.kind === 'at' ? [line.position, line.generation] : [0, 65_535];
      tail.text(`${String(number).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${line.kind === 'at' ? 'n' : 'f'} \n`);
    }
  }
  trailer.set(PDFName.of('Size'), PDFNumber.of(size));
  tail.text('trailer\n');
  tail.value(trailer);
  tail.text(`\nstartxref\n${start}\n%%EOF\n`);
}

function writeStream(tail: Tail, base: number, lines: Map<number, Line>, trailer: PDFDict, number: number): void {
  const start = tail.position - base;
  lines.set(number, { kind: 'at', position: start, generation: 0 });
  if (!trailer.has(PDFName.of('Prev'))) lines.set(0, { kind: 'free' });
  const wide = Math.ceil(Math.log2(Math.max(2, start + 1, number + 1)) / 8);
  const rows: number[] = [];
  const index: number[] = [];
  for (const [first, run] of runs(lines)) {
    index.push(first, run.length);
    for (const line of run) {
      const [kind, second, third] = line.kind === 'at' ? [1, line.position, line.generation] : line.kind === 'in' ? [2, line.stream, line.index] : [0, 0, 65_535];
      rows.push(kind);
      for (let i = wide - 1; i >= 0; i--) rows.push(Math.floor(second / 256 ** i) % 256);
      rows.push(...[16, 8, 0].map((shift) => (third >> shift) & 0xff));
    }
  }
  const data = deflateSync(Uint8Array.from(rows));
  const { context } = trailer;
  trailer.set(PDFName.of('Type'), PDFName.of('XRef'));
  trailer.set(PDFName.of('Size'), PDFNumber.of(number + 1));
  trailer.set(PDFName.of('W'), context.obj([1, wide, 3]));
  trailer.set(PDFName.of('Index'), context.obj(index));
  trailer.set(PDFName.of('Filter'), PDFName.of('FlateDecode'));
  trailer.set(PDFName.of('Length'), PDFNumber.of(data.length));
  tail.object(PDFRef.of(number), PDFRawStream.of(trailer, data));
  tail.text(`startxref\n${start}\n%%EOF\n`);
}

/** Consecutive numbers with their lines, in order. */
function* runs(lines: ReadonlyMap<number, Line>): Iterable<readonly [number, readonly Line[]]> {
  let first = 0;
  let run: Line[] = [];
  for (const [number, line] of [...lines].sort(([a], [b]) => a - b)) {
    if (run.length > 0 && number !== first + run.length) {
      yield [first, run];
      run = [];
    }
    if (run.length === 0) first = number;
    run.push(line);
  }
  if (run.length > 0) yield [first, run];
}

/** Bytes that will stand behind a file of a known size. */
class Tail {
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(private readonly after: number) {}

  /** Where the next byte will stand in the whole file. */
  get position(): number {
    return this.after + this.#size;
  }

  text(text: string): void {
    this.#add(Buffer.from(text, 'latin1'));
  }

  value(object: PDFObject): void {
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    this.#add(bytes);
  }

  object(ref: PDFRef, object: PDFObject): void {
    this.text(`${ref.objectNumber} ${ref.generationNumber} obj\n`);
    this.value(object);
    this.text('\nendobj\n');
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#pieces, this.#size);
  }

  #add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }
}
