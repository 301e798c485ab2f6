import { type PDFDict, PDFRawStream } from 'pdf-lib';

const NOTHING = new Uint8Array(0);

/**
 * Creates a stream with another dictionary over the same encoded bytes, which are shared: nothing may write into them.
 * Bytes that a reader loads (and decrypts) on demand stay unread until they are needed.
 */
export function streamOver(source: PDFRawStream, dict: PDFDict): PDFRawStream {
  if (Object.getOwnPropertyDescriptor(source, 'contents')?.get === undefined)
    return PDFRawStream.of(dict, source.contents);
  const stream = PDFRawStream.of(dict, NOTHING);
  Object.defineProperty(stream, 'contents', { get: () => source.contents, enumerable: true, configurable: true });
  return stream;
}
