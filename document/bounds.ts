import { DocumentError } from './errors.js';

const MIB = 1024 * 1024;

/**
 * What reading one document may cost at most. All are far above what honest files need, and low enough that a hostile
 * one costs seconds, never minutes or gigabytes.
 */
export const bounds = {
  /** Bytes of one object, unpacked, or of its text in the file. */
  objectBytes: 256 * MIB,
  textBytes: 64 * MIB,
  /** Beyond so many bytes a stream must not be more than `ratio` times its packed size. */
  freeBytes: 10 * MIB,
  ratio: 200,
  /** All that is inflated of one document, each object stream counted once. */
  inflatedBytes: 1024 * MIB,
  /** Object streams inflated again, because not all of them can be kept. */
  inflatedAgain: 2048 * MIB,
  /** Filters on one stream. */
  filters: 8,
  /** Arrays and dictionaries within each other. */
  nesting: 500,
  /** Values in the arrays and dictionaries of one object. */
  values: 1_000_000,
  /** Characters of a string as it is written. */
  stringBytes: 32 * MIB,
  /** Sections of a cross-reference, and entries in all of them. */
  revisions: 10_000,
  entries: 16_777_216,
  /** The largest object number (ISO 32000-1, Annex C). */
  objectNumber: 8_388_607,
  /** Numbers up to here are believed: updates of a file that has the largest go on behind it. */
  believedNumber: 8_488_607,
  /** Nodes of a page tree, each counted as often as it hangs there. */
  pageNodes: 2_000_000,
  /** What broken objects and streams may cost in bytes read again, beyond twice the file. */
  searchedBytes: 16 * MIB,
} as const;

/** The most that a stream of this packed size may inflate to, in bytes. */
export function inflateLimit(packed: number): number {
  return Math.min(bounds.objectBytes, Math.max(bounds.freeBytes, packed * bounds.ratio));
}

/**
 * The refusal of a stream that inflates beyond `inflateLimit`: PDF_OBJECT_TOO_LARGE where the size decided, else
 * PDF_RATIO.
 */
export function inflatesTooFar(limit: number): DocumentError {
  return limit >= bounds.objectBytes
    ? new DocumentError('PDF_OBJECT_TOO_LARGE', { limit })
    : new DocumentError('PDF_RATIO', { limit, ratio: bounds.ratio });
}
