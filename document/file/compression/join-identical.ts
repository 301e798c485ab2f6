import { createHash } from 'node:crypto';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  type PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { entriesOf } from '../objects/index.js';

/** Types of dictionaries that mean the same wherever they are used, unlike pages, annotations and fields. */
const SHARED_TYPES: ReadonlySet<unknown> = new Set(
  ['Font', 'FontDescriptor', 'ExtGState', 'Pattern', 'Encoding'].map((name) => PDFName.of(name)),
);
/** A font file, its descriptor, the descendant font and the font become equal one after the other. */
const MAX_ROUNDS = 5;
const TYPE = PDFName.of('Type');

type Entry<T extends PDFObject> = readonly [PDFRef, T];

/**
 * Makes every reference to a copy of a stream or of a resource such as a font (equal dictionary and bytes) point to the
 * first one, in place: merged documents contain their fonts and images many times, printed ones their gradients. What
 * refers to copies may thereby become equal itself, and is compared again. `streams` are those to be
 * joined, `objects` all of the document. Returns the remaining streams.
 */
export function joinIdentical(
  context: PDFContext,
  streams: readonly Entry<PDFRawStream>[],
  objects: readonly Entry<PDFObject>[] = context.enumerateIndirectObjects(),
): readonly Entry<PDFRawStream>[] {
  const digests = new Map<PDFRawStream, string>();
  const digestOf = (stream: PDFRawStream): string => {
    const known = digests.get(stream) ?? createHash('sha256').update(stream.contents).digest('base64');
    digests.set(stream, known);
    return known;
  };
  let left = streams;
  let resources: readonly Entry<PDFDict>[] = objects.filter(isResource);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const moved = new Map<PDFRef, PDFRef>();
    left = firstOfEach(left, (stream) => `${digestOf(stream)} ${stream.dict.toString()}`, moved);
    resources = firstOfEach(resources, (dict) => dict.toString(), moved);
    if (moved.size === 0) break;
    for (const [, object] of objects) redirect(object, moved);
    for (const ref of moved.keys()) context.delete(ref);
  }
  return left;
}

function isResource(entry: Entry<PDFObject>): entry is Entry<PDFDict> {
  return entry[1] instanceof PDFDict && SHARED_TYPES.has(entry[1].get(TYPE));
}

/** Returns the entries without those that equal an earlier one, which are noted in `moved`. */
function firstOfEach<T extends PDFObject>(
  entries: readonly Entry<T>[],
  keyOf: (object: T) => string,
  moved: Map<PDFRef, PDFRef>,
): Entry<T>[] {
  const first = new Map<string, PDFRef>();
  return entries.filter(([ref, object]) => {
    const key = keyOf(object);
    const known = first.get(key);
    if (known === undefined) first.set(key, ref);
    else moved.set(ref, known);
    return known === undefined;
  });
}

function redirect(object: PDFObject, moved: ReadonlyMap<PDFRef, PDFRef>): void {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFStream) next = next.dict;
    if (next instanceof PDFDict) {
      for (const [key, value] of entriesOf(next)) {
        if (value instanceof PDFRef) {
          const other = moved.get(value);
          if (other !== undefined) next.set(key, other);
        } else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    } else if (next instanceof PDFArray) {
      for (let i = 0; i < next.size(); i++) {
        const value = next.get(i);
        if (value instanceof PDFRef) {
          const other = moved.get(value);
          if (other !== undefined) next.set(i, other);
        } else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    }
  }
}
