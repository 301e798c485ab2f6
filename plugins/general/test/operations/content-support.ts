import { inflateSync } from 'node:zlib';
import { type PDFContext, PDFName, PDFRawStream } from 'pdf-lib';

export { ContentLexer } from '@quire/document/content';

/** A stream's data, inflated if necessary. */
export function decoded({ dict, contents }: PDFRawStream): Uint8Array {
  return dict.has(PDFName.of('Filter')) ? inflateSync(contents) : contents;
}

/** Number of images in a document, used or not. */
export function imagesIn(context: PDFContext): number {
  return context
    .enumerateIndirectObjects()
    .filter(
      ([, object]) => object instanceof PDFRawStream && object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image'),
    ).length;
}
