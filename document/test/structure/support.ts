import { PDFDict, PDFDocument, PDFName, type PDFContext, type PDFObject } from 'pdf-lib';
import { mergePdfs } from '../../structure/merge/index.js';
import { resolve } from '../../file/objects/index.js';
import { look } from '../support.js';

export const named = (bytes: Uint8Array, name: string) => ({ bytes, name });
/** Follows a path of dictionary keys from the catalog. */
export const catalogEntry = (document: PDFDocument, ...path: string[]): PDFObject | undefined =>
  path.reduce<PDFObject | undefined>(
    (at, key) => (at instanceof PDFDict ? resolve(document.context, at.get(PDFName.of(key))) : undefined),
    document.catalog,
  );

/** Creates a PDF with one page. */
export async function buildPdf(build: (document: PDFDocument, context: PDFContext) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([100, 100]);
  build(document, document.context);
  return document.save({ updateFieldAppearances: false });
}

/** Merges files and opens the result with pdf-lib. */
export async function merged(...files: Uint8Array[]): Promise<PDFDocument> {
  return look((await mergePdfs(files.map((bytes, i) => named(bytes, `${i}.pdf`)))).bytes);
}
