import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef, PDFStream } from 'pdf-lib';
import type { LazyDocument } from '../reader/index.js';
import { sameObject } from './compare.js';

/** The differences between a document and its file. */
export interface Changes {
  /** Changed and new objects, by ascending number. */
  readonly objects: readonly (readonly [PDFRef, PDFObject])[];
  /** Objects of the file that no longer exist. */
  readonly deleted: readonly PDFRef[];
  /** True when the trailer names another catalog or information dictionary. */
  readonly trailer: boolean;
}

/**
 * Finds changes by comparing each object in memory with the file, read again. `only` names the file's objects to
 * compare, where the caller knows them. New objects count when something that is written refers to them.
 */
export function findChanges(document: LazyDocument, only?: Iterable<PDFRef>): Changes {
  const { assigned, deleted } = document.touched;
  const encrypt = document.trailer.get(PDFName.of('Encrypt'));
  const known = new Set<number>();
  const changed: (readonly [PDFRef, PDFObject])[] = [];
  const added = new Map<PDFRef, PDFObject>();
  for (const [ref, object] of candidates(document, only !== undefined)) {
    if (ref === encrypt) continue;
    if (!isInFile(document, ref)) added.set(ref, object);
    else if (only === undefined && differs(document, ref, object, assigned.has(ref))) changed.push([ref, object]);
  }
  for (const ref of only === undefined ? [] : [...only, ...document.nulled]) {
    const object = document.context.lookup(ref);
    if (object === undefined || !isInFile(document, ref) || known.has(ref.objectNumber)) continue;
    known.add(ref.objectNumber);
    changed.push([ref, object]);
  }
  const trailer = (['Root', 'Info'] as const).some(
    (key) => document.context.trailerInfo[key] !== document.trailer.get(PDFName.of(key)),
  );
  const objects = [...changed, ...reachable(document, added, changed)].sort(
    ([a], [b]) => a.objectNumber - b.objectNumber,
  );
  return { objects, deleted: [...deleted].filter((ref) => isInFile(document, ref)), trailer };
}

/**
 * The objects in memory that can be changed or new. Where only new ones are looked for, those that were loaded need not
 * be: each was found where the cross-reference says, or the document could not be continued.
 */
function candidates(document: LazyDocument, onlyNew: boolean): (readonly [PDFRef, PDFObject])[] {
  const { objects, assigned } = document.touched;
  // A copy, since comparing loads more objects.
  if (!onlyNew || !document.continuable) return Array.from(objects);
  return Array.from(assigned).flatMap((ref): [PDFRef, PDFObject][] => {
    const object = document.context.lookup(ref);
    return object === undefined ? [] : [[ref, object]];
  });
}

function isInFile(document: LazyDocument, ref: PDFRef): boolean {
  const entry = document.entry(ref.objectNumber);
  return (
    entry !== undefined &&
    entry.kind !== 'free' &&
    (entry.kind === 'at' ? entry.generation : 0) === ref.generationNumber
  );
}

function differs(document: LazyDocument, ref: PDFRef, object: PDFObject, replaced: boolean): boolean {
  const before = document.original(ref);
  return before === undefined || !sameObject(object, before, replaced);
}

/**
 * New objects that a changed one, the trailer or another new one refers to; and all whose numbers the file's objects
 * may refer to.
 */
function reachable(
  document: LazyDocument,
  added: ReadonlyMap<PDFRef, PDFObject>,
  changed: readonly (readonly [PDFRef, PDFObject])[],
): Map<PDFRef, PDFObject> {
  const found = new Map<PDFRef, PDFObject>();
  const queue: PDFObject[] = changed.map(([, object]) => object);
  const reach = (ref: PDFRef): void => {
    const object = added.get(ref);
    if (object === undefined || found.has(ref)) return;
    found.set(ref, object);
    queue.push(object);
  };
  for (const value of Object.values(document.context.trailerInfo)) if (value instanceof PDFRef) reach(value);
  const largest = document.crossReference?.largest ?? Infinity;
  for (const ref of added.keys()) if (ref.objectNumber <= largest) reach(ref);
  for (let object = queue.pop(); object !== undefined; object = queue.pop()) eachReference(object, reach);
  return found;
}

/** Visits each reference in an object, in order. */
function eachReference(object: PDFObject, visit: (ref: PDFRef) => void): void {
  if (object instanceof PDFRef) visit(object);
  else if (object instanceof PDFDict) for (const value of object.values()) eachReference(value, visit);
  else if (object instanceof PDFArray) for (const value of object.asArray()) eachReference(value, visit);
  else if (object instanceof PDFStream) eachReference(object.dict, visit);
}
