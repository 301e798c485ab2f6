import { inflateSync } from 'node:zlib';
import { bounds, inflateLimit, inflatesTooFar } from '../../bounds.js';
import { DocumentError } from '../../errors.js';

/** Deflate packs at most 1:1032, so a smaller stream cannot exceed `freeBytes` through one filter. */
const HARMLESS_PACKED = Math.floor(bounds.freeBytes / 1032);
const STRUCTURE = /\/(ObjStm|XRef)(?![A-Za-z0-9])/;
const PACKING_FILTER = /\/(?:FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL)(?![A-Za-z0-9])/g;
const [STREAM, ENDSTREAM, OBJ] = ['stream', 'endstream', 'obj'].map((word) => Buffer.from(word)) as [
  Buffer,
  Buffer,
  Buffer,
];
/** No honest writer puts more compression filters than this on one stream. */
const MAX_ROUNDS = 2;
/** How many bytes before `stream` its dictionary may begin. */
const DICTIONARY_REACH = 2048;

/**
 * Rejects a document with decompression bombs that a parser or writer would inflate without being asked:
 * cross-reference and object streams, and any stream compressed by several filters, since each multiplies the ratio.
 * Images and content compressed once cannot exceed 1:1032 and are left to their decoders. Throws PDF_OBJECT_TOO_LARGE,
 * PDF_RATIO, PDF_INFLATED_TOTAL (data.limit in bytes), PDF_FILTERS.
 */
export function refuseStructureBombs(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let total = 0;
  for (let at = buffer.indexOf(STREAM); at >= 0; at = buffer.indexOf(STREAM, at + 6)) {
    // `endstream`
    if (buffer[at - 3] === 0x65 && buffer[at - 2] === 0x6e && buffer[at - 1] === 0x64) continue;
    const dictionary = dictionaryBefore(buffer, at);
    const filters = countFilters(dictionary);
    if (filters === 0 || (filters === 1 && !STRUCTURE.test(dictionary))) continue;
    if (filters > MAX_ROUNDS) throw new DocumentError('PDF_FILTERS', { found: filters, limit: MAX_ROUNDS });
    const start = dataStart(buffer, at + 6);
    const end = buffer.indexOf(ENDSTREAM, start);
    const packed = buffer.subarray(start, end < 0 ? buffer.length : end);
    if (packed.length > HARMLESS_PACKED || filters > 1) total += inflatedSize(packed, filters);
    if (total > bounds.inflatedBytes) throw new DocumentError('PDF_INFLATED_TOTAL', { limit: bounds.inflatedBytes });
    if (end < 0) return;
    at = end;
  }
}

function countFilters(dictionary: string): number {
  let count = 0;
  PACKING_FILTER.lastIndex = 0;
  while (PACKING_FILTER.test(dictionary)) count++;
  return count;
}

/** The text from the last `obj` before this position: the dictionary of the stream that begins here. */
function dictionaryBefore(buffer: Buffer, at: number): string {
  const from = Math.max(0, at - DICTIONARY_REACH, buffer.lastIndexOf(OBJ, at) + 3);
  return buffer.toString('latin1', from, at);
}

function dataStart(buffer: Buffer, at: number): number {
  if (buffer[at] === 0x0d) at++;
  return buffer[at] === 0x0a ? at + 1 : at;
}

/** Size after inflating once, or twice when two filters are named; a stream that does not inflate counts as empty. */
function inflatedSize(packed: Uint8Array, rounds: number): number {
  let data = packed;
  const limit = inflateLimit(packed.length);
  for (let round = 0; round < rounds; round++) {
    try {
      data = inflateSync(data, { maxOutputLength: limit });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw inflatesTooFar(limit);
      return data === packed ? 0 : data.length;
    }
  }
  return data.length;
}
