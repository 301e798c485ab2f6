import type { PDFContext, PDFRawStream } from 'pdf-lib';
import { decodeUtf16Le } from '../../file/charsets/index.js';
import { streamBytes } from '../../file/objects/index.js';
import { unescapeXml } from '../../file/xml/index.js';
import { isFound, type TextFinder } from './text-finder.js';
import { readText } from './text-string.js';

/** In bytes. Longer data is not inspected. */
const MAX_BYTES = 32 * 1024 * 1024;
const ZERO = Buffer.alloc(1);

/** Returns a stream's decoded bytes, or undefined if they cannot be inspected. */
export function decodedBytes(context: PDFContext, stream: PDFRawStream): Buffer | undefined {
  return streamBytes(context, stream, MAX_BYTES);
}

/**
 * Returns true if the bytes contain found text when they are read in their declared encoding, as UTF-8 or as UTF-16.
 */
export function isFoundInBytes(bytes: Buffer, find: TextFinder): boolean {
  const texts = [readText(bytes).text, bytes.toString('utf8')];
  if (bytes.includes(0)) texts.push(decodeUtf16Le(bytes), decodeUtf16Le(Buffer.concat([bytes.subarray(1), ZERO])));
  return texts.some((text) => isFoundInMarkup(text, find));
}

/** Returns true if a text contains it literally, or after decoding XML or HTML entities and tags. */
export function isFoundInMarkup(text: string, find: TextFinder): boolean {
  if (isFound(text, find)) return true;
  if (!/[<&]/.test(text)) return false;
  return ['', ' '].some((gap) => isFound(unescapeXml(text.replaceAll(/<[^<>]*>/g, gap)), find));
}

/** Returns true if an address contains it literally or after percent-decoding (RFC 3986, 2.1). */
export function isFoundInAddress(text: string, find: TextFinder): boolean {
  if (isFound(text, find)) return true;
  if (!/%[\da-f]{2}/i.test(text)) return false;
  const bytes = text.replaceAll(/%([\da-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return isFound(Buffer.from(bytes, 'latin1').toString('utf8'), find) || isFound(bytes.replaceAll('+', ' '), find);
}
