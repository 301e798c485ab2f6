import { PDFArray, type PDFContext, type PDFObject, PDFRawStream } from 'pdf-lib';
import { resolve } from '../../file/objects/index.js';
import { decodeStream } from '../../file/reader/decode-stream.js';

/** Returns the streams of a page's /Contents, in order. */
export function contentStreams(context: PDFContext, contents: PDFObject | undefined): PDFRawStream[] {
  const value = resolve(context, contents);
  const items = value instanceof PDFArray ? value.asArray().map((item) => resolve(context, item)) : [value];
  return items.filter((item): item is PDFRawStream => item instanceof PDFRawStream);
}

/**
 * Returns a stream's decoded bytes, or undefined if it cannot be decoded. Throws the errors of the inflation limits.
 */
export function decodedContent(context: PDFContext, stream: PDFRawStream): Uint8Array | undefined {
  return decodeStream(stream, (value) => resolve(context, value));
}
