import { PDFArray, type PDFContext, type PDFObject, PDFRawStream } from 'pdf-lib';
import { resolve } from '../../file/objects/index.js';
import { decodeStream } from '../../file/reader/decode-stream.js';

/** Gives the streams of a page's /Contents, in order. */
export function contentStreams(context: PDFContext, contents: PDFObject | undefined): PDFRawStream[] {
  const value = resolve(context, contents);
  const items = value instanceof PDFArray ? value.asArray().map((item) => resolve(context, item)) : [value];
  return items.filter((item): item is PDFRawStream => item instanceof PDFRawStream);
}

/**
 * Gives a stream's decoded bytes, or undefined when they cannot be decoded. Errors: those of the bounds on inflating.
 */
export function decodedContent(context: PDFContext, stream: PDFRawStream): Uint8Array | undefined {
  return decodeStream(stream, (value) => resolve(context, value));
}
