import { type PDFDict, PDFRawStream } from 'pdf-lib';

const NOTHING = new Uint8Array(0);

/** pdf-lib declares its constructor as private, and the contents as a field. */
const RawStream = PDFRawStream as unknown as new (
  dict: PDFDict,
  contents: Uint8Array,
) => Omit<PDFRawStream, 'contents'>;

/**
 * A stream of pdf-lib whose encoded data is loaded on each access to `contents`. A class, because an accessor for each
 * stream and its entry in a `WeakMap` take 3 µs, thirty times as long.
 */
export abstract class DeferredStream extends RawStream {
  constructor(dict: PDFDict) {
    super(dict, NOTHING);
  }

  get contents(): Uint8Array {
    return this.load();
  }

  /** Only for pdf-lib's constructor, which sets the empty contents. */
  set contents(bytes: Uint8Array) {
    if (bytes !== NOTHING) throw new TypeError('the contents of this stream are elsewhere');
  }

  /** Returns the encoded data; nothing may write into it. */
  protected abstract load(): Uint8Array;
}
