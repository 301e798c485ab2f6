import { PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { type Entry, type LazyDocument, openLazily } from '../file/reader/index.js';
import type { FileSource } from '../file/source/index.js';
import { sameObject } from './same-object.js';

/** A document as it was when it was signed, beside what it is now. */
export interface RevisionPair {
  readonly then: LazyDocument;
  readonly now: LazyDocument;
  /** Objects that are no longer what they were, by number. */
  readonly changed: ReadonlySet<number>;
  /** Objects that were not there. */
  readonly added: ReadonlySet<number>;
}

/** Why the signed revision cannot be compared, which is a change by itself: a sentence without its full stop. */
export interface RevisionFault {
  readonly fault: string;
}

/** Bytes after a signature without meaning: white space and comments, among them the end-of-file marker. */
const NOTHING = /^(?:[\0\t\n\f\r ]|%[^\r\n]*(?:[\r\n]|$))*$/;
const SHORT = 64 * 1024;

/** True when nothing but white space and comments follows. */
export function endsAt({ windows }: LazyDocument, end: number): boolean {
  return windows.size - end <= SHORT && NOTHING.test(windows.text(end, windows.size));
}

/**
 * Opens the revision that ends at `end`, and lists the objects in which the whole file differs from it. Both are read
 * by their own cross-reference, and the file's must lead back to the revision's: what is reached in another way was
 * never signed (incremental saving with a broken or a missing cross-reference, shadow documents).
 */
export function compareRevision(
  source: Uint8Array | FileSource,
  now: LazyDocument,
  end: number,
  password?: string,
): RevisionPair | RevisionFault {
  let then: LazyDocument;
  try {
    then = openLazily(frontOf(source, end), password === undefined ? {} : { password });
  } catch (error) {
    if (error instanceof DocumentError) return { fault: 'the document as it was signed cannot be read' };
    throw error;
  }
  const [newest, signed] = [now.crossReference, then.crossReference];
  if (signed === undefined) return { fault: 'the document as it was signed has no cross-reference of its own' };
  if (newest === undefined) return { fault: 'what was put behind the signature has no cross-reference' };
  const steps = newest.revisions.findIndex(({ at }) => at === signed.start);
  if (steps < 0 || now.base !== then.base)
    return { fault: 'the cross-reference of the file does not lead to the document as it was signed' };
  if (steps === 0) return { fault: 'bytes follow the signature that belong to no revision' };
  const candidates = new Set<number>();
  for (const { subsections, hidden } of newest.revisions.slice(0, steps)) {
    for (const { first, count } of [...subsections, ...hidden]) {
      for (let number = first; number < first + count; number++)
        if (!sameEntry(now.entry(number), then.entry(number))) candidates.add(number);
    }
  }
  // An entry that was signed may point to where nothing was yet.
  for (const number of signed.numbers()) {
    const place = signed.find(number);
    if (place?.kind === 'at' && place.position >= end) candidates.add(number);
  }
  return { then, now, ...sort(then, now, candidates) };
}

/**
 * The same pair with every object compared: where something had to be put right in reading, the same bytes may have
 * been read differently.
 */
export function compareWhole({ then, now }: RevisionPair): RevisionPair {
  const numbers = new Set<number>();
  for (const lazy of [then, now]) for (const { objectNumber } of lazy.references()) numbers.add(objectNumber);
  return { then, now, ...sort(then, now, numbers) };
}

function sort(
  then: LazyDocument,
  now: LazyDocument,
  candidates: ReadonlySet<number>,
): Pick<RevisionPair, 'changed' | 'added'> {
  const [changed, added] = [new Set<number>(), new Set<number>()];
  for (const number of candidates) {
    const [before, after] = [objectAt(then, number), objectAt(now, number)];
    if (before === undefined) {
      if (after !== undefined) added.add(number);
    } else if (
      after === undefined ||
      before.generation !== after.generation ||
      !sameObject(before.object, after.object)
    )
      changed.add(number);
  }
  return { changed, added };
}

/** The object of a number, whatever its generation, read again. */
export function objectAt(
  lazy: LazyDocument,
  number: number,
): { readonly object: PDFObject; readonly generation: number } | undefined {
  const place = lazy.entry(number);
  if (place === undefined || place.kind === 'free') return undefined;
  const generation = place.kind === 'at' ? place.generation : 0;
  const object = lazy.original(PDFRef.of(number, generation));
  return object === undefined ? undefined : { object, generation };
}

/** The file up to a place, as a file. */
function frontOf(source: Uint8Array | FileSource, end: number): Parameters<typeof openLazily>[0] {
  if (source instanceof Uint8Array) return source.subarray(0, end);
  return {
    size: end,
    read: (position, length, target) => position + length <= end && source.read(position, length, target),
  };
}

function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a?.kind === 'at') return b?.kind === 'at' && a.position === b.position && a.generation === b.generation;
  if (a?.kind === 'in') return b?.kind === 'in' && a.stream === b.stream && a.index === b.index;
  return b === undefined || b.kind === 'free';
}

/** The dictionary of an object, a stream's own too. */
export function dictAt(lazy: LazyDocument, number: number): PDFDict | undefined {
  const object = objectAt(lazy, number)?.object;
  return object instanceof PDFDict ? object : (object as { readonly dict?: PDFDict } | undefined)?.dict;
}
