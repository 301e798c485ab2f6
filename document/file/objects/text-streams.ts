import { type PDFContext, PDFRawStream, type PDFObject } from 'pdf-lib';
import { resolve, textOfBytes } from './access.js';
import { decodeStream } from '../reader/index.js';

/** In bytes. Real scripts and metadata are shorter. */
const MAX_TEXT = 16 * 1024 * 1024;

/**
 * Returns a text stream's text (PDFDocEncoding, UTF-16 or UTF-8; ISO 32000-2, 7.9.3); undefined when it cannot be
 * decoded within the limits.
 */
export function streamText(context: PDFContext, stream: PDFRawStream): string | undefined {
  const bytes = streamBytes(context, stream);
  return bytes === undefined ? undefined : textOfBytes(bytes);
}

/** Returns an XML stream's text (UTF-8, or UTF-16 with a byte order mark); undefined when it is not a stream. */
export function xmlText(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const stream = resolve(context, value);
  const bytes = stream instanceof PDFRawStream ? streamBytes(context, stream) : undefined;
  if (bytes === undefined) return undefined;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return bytes.toString('utf8');
}

/**
 * Returns a stream's decoded bytes; undefined when it cannot be decoded within the limits, or is longer than `limit`.
 */
export function streamBytes(context: PDFContext, stream: PDFRawStream, limit = MAX_TEXT): Buffer | undefined {
  try {
    const bytes = decodeStream(stream, (value) => resolve(context, value));
    return bytes === undefined || bytes.length > limit
      ? undefined
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    // A text that exceeds the limits is ignored; it is not a reason to reject the document.
    return undefined;
  }
}
