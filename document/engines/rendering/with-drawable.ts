import { DocumentError } from '../../errors.js';
import { type OpenedPdf, writeContext } from '../../file/open/index.js';
import { type PdfiumDocument, withDocument } from '../pdfium/index.js';
import { withSource } from '../../file/source/index.js';

/**
 * Where a document is written that cannot be drawn from its own file, and whether that must be done anyway because it
 * was changed.
 */
export interface DrawableOptions {
  readonly path: string;
  readonly anew?: boolean;
}

/**
 * Opens a document that is being worked on for drawing: its own file, or written anew where PDFium makes something else
 * of that than we do. Pages have the numbers that they have in `opened`. Errors: PDF_DAMAGED, what `fn` throws.
 */
export async function withDrawable<T>(
  { document, original, pages }: OpenedPdf,
  { path, anew = false }: DrawableOptions,
  fn: (drawn: PdfiumDocument) => Promise<T>,
): Promise<T> {
  const agrees =
    !anew &&
    original !== undefined &&
    (await withDocument(
      original,
      {},
      (source) => source.pageCount === pages.length && source.hasPage(pages.length - 1),
    ).catch((error: unknown) => {
      if (error instanceof DocumentError && (error.code === 'PDF_DAMAGED' || error.code === 'PDF_ENCRYPTED'))
        return false;
      throw error;
    }));
  if (agrees && original !== undefined) return withDocument(original, {}, fn);
  // Without its encryption, which PDFium may not know.
  writeContext(document.context, path);
  return withSource({ path }, (source) => withDocument(source, {}, fn));
}
