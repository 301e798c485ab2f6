import { DocumentError } from '../../errors.js';
import { type OpenedPdf, writeContext } from '../../file/open/index.js';
import { type PdfiumDocument, withDocument } from '../pdfium/index.js';
import { withSource } from '../../file/source/index.js';

/**
 * The path to write a document to when it cannot be rendered from its file, and whether that is necessary because it
 * was changed.
 */
export interface DrawableOptions {
  readonly path: string;
  readonly rewritten?: boolean;
}

/**
 * Opens a document that is being edited for rendering: its own file, or a rewritten copy where PDFium would interpret
 * the file differently. Pages have the same numbers as in `opened`. Throws PDF_DAMAGED, and the errors of `fn`.
 */
export async function withDrawable<T>(
  { document, original, pages }: OpenedPdf,
  { path, rewritten = false }: DrawableOptions,
  fn: (drawn: PdfiumDocument) => Promise<T>,
): Promise<T> {
  const agrees =
    !rewritten &&
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
  // Without its encryption, which PDFium may not support.
  writeContext(document.context, path);
  return withSource({ path }, (source) => withDocument(source, {}, fn));
}
