import type { PDFDict, PDFRawStream } from 'pdf-lib';
import { DeferredStream } from '../streams/index.js';
import type { ByteWindows } from './byte-windows.js';

/** A stream's encoded data, in a file. */
export interface LateData {
  readonly length: number;
  /** The data in pieces; each is valid until the next is requested. */
  pieces(): Iterable<Uint8Array>;
  bytes(): Uint8Array;
}

class LateStream extends DeferredStream {
  constructor(
    dict: PDFDict,
    readonly data: LateData,
  ) {
    super(dict);
  }

  protected load(): Uint8Array {
    return this.data.bytes();
  }
}

/** Creates a stream whose `contents` are read on each access. */
export function lateStream(dict: PDFDict, windows: ByteWindows, start: number, end: number): PDFRawStream {
  return lateStreamOf(dict, {
    length: end - start,
    pieces: () => windows.pieces(start, end),
    bytes: () => windows.bytes(start, end),
  });
}

/** Creates a stream over data elsewhere, which must stay available until the document is written. */
export const lateStreamOf = (dict: PDFDict, data: LateData): PDFRawStream => new LateStream(dict, data);

/** Returns the data of a stream that can be copied without loading it into memory; undefined for any other. */
export const lateData = (stream: PDFRawStream): LateData | undefined =>
  stream instanceof LateStream ? stream.data : undefined;
