import { DocumentError } from './errors.js';

const MIB = 1024 * 1024;

/**
 * Limits on the cost of reading one document. All are far above the needs of honest files, and low enough that a
 * hostile one costs seconds, never minutes or gigabytes.
 */
export const bounds = {
  /** Bytes of one object, unpacked, or of its text in the file. */
  objectBytes: 256 * MIB,
  textBytes: 64 * MIB,
  /** Above this many bytes a stream must not be more than `ratio` times its packed size. */
  freeBytes: 10 * MIB,
  ratio: 200,
  /** Bytes inflated in one document, each object stream counted once. */
  inflatedBytes: 1024 * MIB,
  /** Bytes of object streams inflated again, because not all of them can be cached. */
  inflatedAgain: 2048 * MIB,
  /** Filters on one stream. */
  filters: 8,
  /** Nesting depth of arrays and dictionaries. */
  nesting: 500,
  /** Values in the arrays and dictionaries of one object. */
  values: 1_000_000,
  /** Characters of a string as written. */
  stringBytes: 32 * MIB,
  /** Sections of a cross-reference, and entries in all of them. */
  revisions: 10_000,
  entries: 16_777_216,
  /** The largest object number (ISO 32000-1, Annex C). */
  objectNumber: 8_388_607,
  /** The largest number accepted: updates of a file that uses the largest one continue above it. */
  believedNumber: 8_488_607,
  /** Nodes of a page tree, each counted once per occurrence. */
  pageNodes: 2_000_000,
  /** Bytes read again for broken objects and streams, beyond twice the file's size. */
  searchedBytes: 16 * MIB,
} as const;

/** Returns the most bytes that a stream of this packed size may inflate to. */
export function inflateLimit(packed: number): number {
  return Math.min(bounds.objectBytes, Math.max(bounds.freeBytes, packed * bounds.ratio));
}

/**
 * The error for a stream that inflates beyond `inflateLimit`: PDF_OBJECT_TOO_LARGE where the size decided, else
 * PDF_RATIO.
 */
export function inflatesTooFar(limit: number): DocumentError {
  return limit >= bounds.objectBytes
    ? new DocumentError('PDF_OBJECT_TOO_LARGE', { limit })
    : new DocumentError('PDF_RATIO', { limit, ratio: bounds.ratio });
}
