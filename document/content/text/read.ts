import { DocumentError } from '../../errors.js';
import { type PdfiumDocument, withDocument } from '../../engines/pdfium/index.js';
import { type FileSource, type PdfInput, withSource } from '../../file/source/index.js';

/**
 * Refusals of PDFium that another reader may not share; it asks for a password where some files of revision 6 need
 * none.
 */
const repairable: ReadonlySet<string> = new Set(['PDF_DAMAGED', 'PDF_NO_PAGES', 'PDF_ENCRYPTED']);

/**
 * Opens a PDF for reading from disk or memory. Files that PDFium cannot open are first repaired by the other parsers.
 * Throws PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function readPdf<T>(input: PdfInput, fn: (document: PdfiumDocument) => T | Promise<T>): Promise<T> {
  return withSource(input, (source) => readSource(source, fn));
}

async function readSource<T>(
  source: Uint8Array | FileSource,
  fn: (document: PdfiumDocument) => T | Promise<T>,
): Promise<T> {
  let opened = false;
  const read = (document: PdfiumDocument): T | Promise<T> => {
    if (document.reachablePages(1) < 1) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
    opened = true;
    return fn(document);
  };
  try {
    return await withDocument(source, {}, read);
  } catch (error) {
    if (opened || !(error instanceof DocumentError) || !repairable.has(error.code)) throw error;
    const { openPdf, savePdf } = await import('../../file/open/index.js');
    const { document } = await openPdf(source);
    return withDocument(await savePdf(document), {}, read);
  }
}
