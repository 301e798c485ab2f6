import { type PDFDict, PDFRawStream } from 'pdf-lib';

const NOTHING = new Uint8Array(0);

/**
 * Makes a stream of another dictionary over a stream's encoded bytes, which both share: nobody writes into them. Bytes
 * that a reader fetches (and decrypts) when they are asked for stay unread until somebody asks for these.
 */
export function streamOver(source: PDFRawStream, dict: PDFDict): PDFRawStream {
  if (Object.getOwnPropertyDescriptor(source, 'contents')?.get === undefined)
    return PDFRawStream.of(dict, source.contents);
  const stream = PDFRawStream.of(dict, NOTHING);
  Object.defineProperty(stream, 'contents', { get: () => source.contents, enumerable: true, configurable: true });
  return stream;
}
