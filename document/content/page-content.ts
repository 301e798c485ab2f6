import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream, type PDFRef } from 'pdf-lib';
import { entry, setEntry } from '../file/objects/index.js';
import { deflate } from '../file/zlib/index.js';
import { contentStreams, decodedContent, type PageEntry } from '../structure/pages/index.js';

const NEW_LINE = Buffer.from('\n');

/**
 * Returns a page's content as one sequence of tokens: its streams joined by a line end, because they may end at any
 * token (ISO 32000-1, 7.8.2). `complete` is false if a stream could not be decoded, so that rewriting the content would
 * lose it.
 */
export function pageContent(
  context: PDFContext,
  page: PageEntry,
): { readonly bytes: Uint8Array; readonly complete: boolean } {
  const parts: Uint8Array[] = [];
  let complete = true;
  for (const stream of contentStreams(context, entry(page.dict, 'Contents'))) {
    const part = decodedContent(context, stream);
    if (part === undefined) complete = complete && stream.contents.length === 0;
    else parts.push(part, NEW_LINE);
  }
  return { bytes: parts.length === 2 ? parts[0]! : Buffer.concat(parts), complete };
}

/** Sets the whole content of a page; streams shared with other pages stay unchanged. */
export function writePageContent(context: PDFContext, page: PageEntry, content: Uint8Array): void {
  setEntry(page.dict, 'Contents', packedStream(context, PDFDict.withContext(context), content));
}

/** Registers a Flate stream of these bytes; a dictionary given for it must be nobody else's. */
export function packedStream(context: PDFContext, dict: PDFDict, bytes: Uint8Array): PDFRef {
  for (const key of ['DecodeParms', 'F', 'FFilter', 'FDecodeParms', 'DL']) setEntry(dict, key, undefined);
  const packed = deflate(bytes);
  setEntry(dict, 'Filter', PDFName.of('FlateDecode'));
  setEntry(dict, 'Length', PDFNumber.of(packed.length));
  return context.register(PDFRawStream.of(dict, packed));
}
