import { type PDFDict, PDFRawStream } from 'pdf-lib';
import type { ByteWindows } from './byte-windows.js';

/** A stream's encoded data, in a file. */
export interface LateData {
  readonly length: number;
  /** The data in pieces; each is valid until the next is requested. */
  pieces(): Iterable<Uint8Array>;
  bytes(): Uint8Array;
}

const places = new WeakMap<PDFRawStream, LateData>();

/** Creates a stream whose `contents` are read on each access. */
export function lateStream(dict: PDFDict, windows: ByteWindows, start: number, end: number): PDFRawStream {
  return lateStreamOf(dict, {
    length: end - start,
    pieces: () => windows.pieces(start, end),
    bytes: () => windows.bytes(start, end),
  });
}

/** Creates a stream over data elsewhere, which must stay available until the document is written. */
export function lateStreamOf(dict: PDFDict, data: LateData): PDFRawStream {
  const stream = PDFRawStream.of(dict, new Uint8Array(0));
  Object.defineProperty(stream, 'contents', { get: () => data.bytes(), enumerable: true });
  places.set(stream, data);
  return stream;
}

/** Returns the data of a stream that can be copied without loading it into memory; undefined for any other. */
export function lateData(stream: PDFRawStream): LateData | undefined {
  return places.get(stream);
}
