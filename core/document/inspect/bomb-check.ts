import { inflateSync } from 'node:zlib';
import { DocumentError } from '../errors.js';

/** An object may inflate to this many bytes, whatever its packed size. */
export const MAX_OBJECT_BYTES = 256 * 1024 * 1024;
/** All structure streams of a document together. */
const MAX_DOCUMENT_BYTES = 1024 * 1024 * 1024;
/** Beyond 10 MiB a stream must not be more than 200 times its packed size. */
const FREE_BYTES = 10 * 1024 * 1024;
const MAX_RATIO = 200;
/** Deflate packs at most 1:1032, so a smaller stream cannot pass `FREE_BYTES` through one filter. */
const HARMLESS_PACKED = Math.floor(FREE_BYTES / 1032);
const STRUCTURE = /\/(ObjStm|XRef)(?![A-Za-z0-9])/;
const PACKING_FILTER = /\/(FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL)(?![A-Za-z0-9])/g;
/** More packing filters than this on one stream come from nobody in good faith. */
const MAX_ROUNDS = 2;
/** How far before `stream` its dictionary may begin. */
const DICTIONARY_REACH = 2048;

/**
 * Refuses a document with decompression bombs that a parser or writer would inflate unasked: cross-reference and object streams, and
 * any stream packed through several filters, since each of them multiplies the ratio. Images and content packed once cannot pass 1:1032
 * and are left to whoever decodes them. Error: INPUT_TOO_COMPLEX with data.resource and data.limit in bytes.
 */
export function refuseStructureBombs(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let total = 0;
  for (let at = buffer.indexOf('stream'); at >= 0; at = buffer.indexOf('stream', at + 6)) {
    if (at >= 3 && buffer.toString('latin1', at - 3, at) === 'end') continue;
    const dictionary = dictionaryBefore(buffer, at);
    const filters = dictionary.match(PACKING_FILTER)?.length ?? 0;
    if (filters === 0 || (filters === 1 && !STRUCTURE.test(dictionary))) continue;
    if (filters > MAX_ROUNDS) throw tooComplex(MAX_OBJECT_BYTES);
    const start = dataStart(buffer, at + 6);
    const end = buffer.indexOf('endstream', start);
    const packed = buffer.subarray(start, end < 0 ? buffer.length : end);
    if (packed.length > HARMLESS_PACKED || filters > 1) total += inflatedSize(packed, filters);
    if (total > MAX_DOCUMENT_BYTES) throw tooComplex(MAX_DOCUMENT_BYTES);
    if (end < 0) return;
    at = end;
  }
}

/** The text from the last `obj` before this place: the dictionary of the stream that begins here. */
function dictionaryBefore(buffer: Buffer, at: number): string {
  const from = Math.max(0, at - DICTIONARY_REACH, buffer.lastIndexOf('obj', at) + 3);
  return buffer.toString('latin1', from, at);
}

function dataStart(buffer: Buffer, at: number): number {
  if (buffer[at] === 0x0d) at++;
  return buffer[at] === 0x0a ? at + 1 : at;
}

/** Size after inflating once, or twice when two filters are named; a stream that does not inflate counts as nothing. */
function inflatedSize(packed: Uint8Array, rounds: number): number {
  let data = packed;
  const limit = Math.min(MAX_OBJECT_BYTES, Math.max(FREE_BYTES, packed.length * MAX_RATIO));
  for (let round = 0; round < rounds; round++) {
    try {
      data = inflateSync(data, { maxOutputLength: limit });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooComplex(limit);
      return data === packed ? 0 : data.length;
    }
  }
  return data.length;
}

function tooComplex(limit: number): DocumentError {
  return new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit });
}
