import { type PDFDict, PDFRawStream } from 'pdf-lib';
import { DeferredStream } from '../streams/index.js';

class StreamOver extends DeferredStream {
  constructor(
    dict: PDFDict,
    private readonly under: PDFRawStream,
  ) {
    super(dict);
  }

  protected load(): Uint8Array {
    return this.under.contents;
  }
}

/**
 * Creates a stream with another dictionary over the same encoded bytes, which are shared: nothing may write into them.
 * Bytes that a reader loads (and decrypts) on demand stay unread until they are needed.
 */
export function streamOver(source: PDFRawStream, dict: PDFDict): PDFRawStream {
  return source instanceof DeferredStream ? new StreamOver(dict, source) : PDFRawStream.of(dict, source.contents);
}
