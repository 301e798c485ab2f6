import { DocumentError } from '../../errors.js';
import { type PdfiumDocument, withDocument } from '../pdfium/index.js';

/**
 * Opens a document for rendering as `withDocument` does; one that PDFium cannot read is repaired first. Throws the
 * errors of `openPdf`.
 */
export async function withRenderable<T>(
  bytes: Uint8Array,
  fn: (document: PdfiumDocument) => T | Promise<T>,
): Promise<T> {
  return withDocument((await opens(bytes)) ? bytes : await repaired(bytes), {}, fn);
}

async function repaired(bytes: Uint8Array): Promise<Uint8Array> {
  const { openPdf, savePdf } = await import('../../file/open/index.js');
  return savePdf((await openPdf(bytes)).document);
}

async function opens(bytes: Uint8Array): Promise<boolean> {
  try {
    return await withDocument(bytes, {}, (document) => document.pageCount > 0);
  } catch (error) {
    if (error instanceof DocumentError && (error.code === 'PDF_DAMAGED' || error.code === 'PDF_ENCRYPTED'))
      return false;
    throw error;
  }
}
