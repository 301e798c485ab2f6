import { type PDFDict, PDFRawStream } from 'pdf-lib';
import type { ByteWindows } from './byte-windows.js';

/** The data of a stream that lies in a file, encoded as its dictionary says. */
export interface LateData {
  readonly length: number;
  /** The data in pieces, each good until the next is asked for. */
  pieces(): Iterable<Uint8Array>;
  /** All of it. */
  bytes(): Uint8Array;
}

const places = new WeakMap<PDFRawStream, LateData>();

/** Makes a stream whose `contents` are read each time they are asked for. */
export function lateStream(dict: PDFDict, windows: ByteWindows, start: number, end: number): PDFRawStream {
  return lateStreamOf(dict, {
    length: end - start,
    pieces: () => windows.pieces(start, end),
    bytes: () => windows.bytes(start, end),
  });
}

/** Makes a stream of data that lies elsewhere, which must stay there until the document is written. */
export function lateStreamOf(dict: PDFDict, data: LateData): PDFRawStream {
  const stream = PDFRawStream.of(dict, new Uint8Array(0));
  Object.defineProperty(stream, 'contents', { get: () => data.bytes(), enumerable: true });
  places.set(stream, data);
  return stream;
}

/** Gives the data of a stream that can be copied without holding it in memory; undefined for any other. */
export function lateData(stream: PDFRawStream): LateData | undefined {
  return places.get(stream);
}
