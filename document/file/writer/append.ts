import { PDFArray, PDFHexString, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef, PDFString } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import type { CrossReference, LazyDocument } from '../reader/index.js';
import { Body } from './body.js';
import { type Changes, findChanges } from './changes.js';
import {
  FREE_LIST_HEAD,
  type Line,
  type Run,
  runsOf,
  type TrailerEntries,
  writeStream,
  writeTable,
} from './cross-reference.js';
import { Serialiser } from './serialize.js';
import { MemorySink, type Sink } from './sink.js';

export interface AppendOptions {
  /**
   * The changed objects of the file, where the caller knows them all; by default they are found by comparing with the
   * file.
   */
  readonly changed?: Iterable<PDFRef>;
}

export interface Appended {
  /** Objects written: changed and new ones. */
  readonly objects: number;
  readonly deleted: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

/**
 * Trailer entries that belong to the section they were read from, or that are written separately (ISO 32000-1, tables
 * 5, 15 and 17).
 */
const OWN_KEYS = new Set(
  [
    'Root',
    'Info',
    'ID',
    'Prev',
    'XRefStm',
    'Size',
    'Type',
    'W',
    'Index',
    'Filter',
    'DecodeParms',
    'Length',
    'DL',
    'F',
    'FFilter',
    'FDecodeParms',
  ].map((key) => PDFName.of(key)),
);

/**
 * Writes a document as its original bytes followed by an incremental update (ISO 32000-1, 7.5.6) with a cross-reference
 * of the original's form. Changes are found by comparing with the file. Deleted objects become free in a table, null
 * elsewhere; new ones are written when something refers to them; the second half of /ID changes. Without changes
 * nothing is added. After a recovery the whole cross-reference is written, as a stream, since the original's cannot be
 * continued. Additions to an encrypted document are encrypted like the rest. The sink is empty, or holds the original
 * already (`FileSink.copyOf`). Throws PDF_XREF_TOO_LONG when there are no more object numbers.
 */
export function appendTo(sink: Sink, document: LazyDocument, options: AppendOptions = {}): Appended {
  const changes = findChanges(document, options.changed);
  copyOriginal(sink, document);
  if (changes.objects.length > 0 || changes.deleted.length > 0 || changes.trailer)
    writeUpdate(new Body(sink, document.security?.cipher), document, changes);
  return { objects: changes.objects.length, deleted: changes.deleted.length, size: sink.position };
}

/** `appendTo` in memory. */
export function appendBytes(document: LazyDocument, options: AppendOptions = {}): Uint8Array {
  const sink = new MemorySink();
  appendTo(sink, document, options);
  return sink.bytes();
}

function copyOriginal(sink: Sink, { windows }: LazyDocument): void {
  if (sink.position === windows.size) return;
  if (sink.position !== 0)
    throw new Error(
      `an update follows its original: the sink has ${sink.position} bytes, the original ${windows.size}`,
    );
  if (windows.whole !== undefined) sink.write(windows.whole, true);
  else for (const piece of windows.pieces(0, windows.size)) sink.write(piece);
}

function writeUpdate(body: Body, document: LazyDocument, changes: Changes): void {
  const number = document.context.largestObjectNumber + 1;
  if (number > bounds.believedNumber)
    throw new DocumentError('PDF_XREF_TOO_LONG', { what: 'entries', found: number, limit: bounds.believedNumber });
  const before = document.continuable ? document.crossReference : undefined;
  const lines = new Map<number, Line>(before === undefined ? oldLines(document) : []);
  const written = new Set<number>();
  // Ends a last stream without `endstream`, which would otherwise continue in the update.
  body.out.text(document.open ? '\nendstream\nendobj\n' : '\n');
  const put = (ref: PDFRef, object: PDFObject): void => {
    written.add(ref.objectNumber);
    lines.set(ref.objectNumber, {
      kind: 'at',
      position: body.position - document.base,
      generation: ref.generationNumber,
    });
    body.object(ref, object);
  };
  for (const [ref, object] of changes.objects) put(ref, object);
  for (const ref of changes.deleted) {
    if (written.has(ref.objectNumber)) continue;
    // With cross-reference streams, readers disagree about free entries that are still referenced; null is understood
    // by all.
    if (before?.revisions.some(({ form, hidden }) => form === 'stream' || hidden.length > 0) !== false)
      put(ref, PDFNull);
    else lines.set(ref.objectNumber, { kind: 'free', generation: Math.min(ref.generationNumber + 1, 65_535) });
  }
  const trailer = trailerEntries(document, body.digest(), before?.start);
  const start = body.position - document.base;
  if (before?.form === 'table') {
    writeTable(body.out, start, ascending(lines), sizeOf(document, before, lines), trailer);
  } else {
    lines.set(number, { kind: 'at', position: start, generation: 0 });
    if (before === undefined) lines.set(0, FREE_LIST_HEAD);
    writeStream(body.out, start, number, ascending(lines), number + 1, trailer);
  }
  body.flush();
}

/** /Size of a continued table (ISO 32000-1, table 15): numbers that are only referenced do not count. */
function sizeOf(document: LazyDocument, before: CrossReference, lines: ReadonlyMap<number, Line>): number {
  const declared = document.trailer.get(PDFName.of('Size'));
  const highest = [...lines.keys()].reduce((most, line) => Math.max(most, line), before.largest);
  return Math.max(
    highest + 1,
    declared instanceof PDFNumber && declared.asNumber() <= document.context.largestObjectNumber + 1
      ? declared.asNumber()
      : 0,
  );
}

const ascending = (lines: ReadonlyMap<number, Line>): Run[] => runsOf([...lines].sort(([a], [b]) => a - b));

/** After a recovery: the position of every object that was found. */
function* oldLines(document: LazyDocument): Iterable<readonly [number, Line]> {
  // Loading each object corrects the positions of misplaced ones.
  const numbers = [...document.references()].map((ref) => (document.original(ref), ref.objectNumber));
  for (const number of numbers) {
    const entry = document.entry(number);
    if (entry === undefined || entry.kind === 'free') continue;
    yield [number, entry.kind === 'at' ? { ...entry, position: entry.position - document.base } : entry];
  }
}

function trailerEntries(document: LazyDocument, digest: string, previous: number | undefined): TrailerEntries {
  return (out) => {
    const serialiser = new Serialiser(out);
    const put = (key: PDFName, value: PDFObject): void => {
      out.text(`${key.asString()} `);
      serialiser.object(value);
    };
    const { Root, Info } = document.context.trailerInfo;
    for (const [key, value] of Object.entries({ Root, Info })) if (value !== undefined) put(PDFName.of(key), value);
    for (const [key, value] of document.trailer.entries()) if (!OWN_KEYS.has(key)) put(key, value);
    const first = firstIdentifier(document.context.trailerInfo.ID, (ref) => document.lookup(ref));
    if (first !== undefined) {
      out.text('/ID[');
      serialiser.object(first);
      out.text(`<${digest}>]`);
    }
    if (previous !== undefined) out.text(`/Prev ${previous}`);
  };
}

/** The half of a file identifier that stays the same in all versions of a document (ISO 32000-1, 14.4). */
export function firstIdentifier(
  id: PDFObject | undefined,
  lookup: (ref: PDFRef) => PDFObject | undefined,
): PDFString | PDFHexString | undefined {
  const pair = id instanceof PDFRef ? lookup(id) : id;
  const half = pair instanceof PDFArray && pair.size() > 0 ? pair.get(0) : undefined;
  const first = half instanceof PDFRef ? lookup(half) : half;
  return first instanceof PDFString || first instanceof PDFHexString ? first : undefined;
}
