import { bounds } from '../../bounds.js';
import type { ByteWindows } from './byte-windows.js';
import { isWhite } from './characters.js';

/**
 * The result of scanning a whole file; of several objects with one number the last counts, as later revisions follow
 * earlier ones.
 */
export interface Scan {
  readonly objects: ReadonlyMap<number, { readonly position: number; readonly generation: number }>;
  /** Positions of `trailer` dictionaries, in file order. */
  readonly trailers: readonly number[];
  /**
   * Numbers of streams that may be object streams or cross-reference streams, and of dictionaries that may be the
   * catalog.
   */
  readonly objectStreams: readonly number[];
  readonly crossReferences: readonly number[];
  readonly catalogs: readonly number[];
}

const STRIDE = 1024 * 1024;
/** Bytes of `1234567890 65535 obj` and white space before it. */
const OVERLAP_BYTES = 64;
/** A dictionary states its type within this many bytes. */
const TYPE_WITHIN_BYTES = 512;

/**
 * Searches a whole file for objects and trailers, a megabyte at a time; for files whose cross-reference is missing or
 * wrong.
 */
export function scanObjects(windows: ByteWindows): Scan {
  const objects = new Map<number, { position: number; generation: number }>();
  const kinds = { objectStreams: new Set<number>(), crossReferences: new Set<number>(), catalogs: new Set<number>() };
  const trailers: number[] = [];
  for (let from = 0; from < windows.size; from += STRIDE) {
    const start = Math.max(0, from - OVERLAP_BYTES);
    const piece = windows.bytes(start, from + STRIDE);
    for (let at = piece.indexOf('obj'); at >= 0; at = piece.indexOf('obj', at + 3)) {
      const head = headerBefore(piece, at);
      if (head === undefined || head.number > bounds.believedNumber) continue;
      objects.set(head.number, { position: start + head.from, generation: head.generation });
      const text = windows.text(start + at + 3, start + at + 3 + TYPE_WITHIN_BYTES).split('endobj', 1)[0] ?? '';
      note(kinds.objectStreams, head.number, /\/ObjStm\b/.test(text));
      note(kinds.crossReferences, head.number, /\/XRef\b/.test(text));
      note(kinds.catalogs, head.number, /\/Catalog\b/.test(text));
    }
    for (let at = piece.indexOf('trailer'); at >= 0; at = piece.indexOf('trailer', at + 7)) {
      const place = start + at + 7;
      if (trailers.at(-1) === undefined || place > (trailers.at(-1) ?? 0)) trailers.push(place);
    }
  }
  return {
    objects,
    trailers,
    objectStreams: [...kinds.objectStreams],
    crossReferences: [...kinds.crossReferences],
    catalogs: [...kinds.catalogs],
  };
}

function note(set: Set<number>, number: number, is: boolean): void {
  set.delete(number);
  if (is) set.add(number);
}

/** Reads `12 0 ` backwards from the keyword `obj`. */
function headerBefore(piece: Buffer, obj: number): { from: number; number: number; generation: number } | undefined {
  const generation = digitsBefore(piece, obj);
  const number = generation === undefined ? undefined : digitsBefore(piece, generation.from);
  if (generation === undefined || number === undefined || number.value === 0) return undefined;
  return { from: number.from, number: number.value, generation: generation.value };
}

function digitsBefore(piece: Buffer, end: number): { from: number; value: number } | undefined {
  let at = end;
  while (at > 0 && isWhite(piece[at - 1])) at--;
  if (at === end) return undefined;
  const last = at;
  while (at > 0 && last - at < 10 && (piece[at - 1] ?? 0) >= 0x30 && (piece[at - 1] ?? 0) <= 0x39) at--;
  return at === last ? undefined : { from: at, value: Number(piece.toString('latin1', at, last)) };
}
