import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';

/**
 * Opens the PDF on disk, of which only the page tree is read, and returns the result of `tell`. Throws PDF_ENCRYPTED if
 * it needs a password, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED, PDF_NO_PAGES.
 */
export function look<T>(path: string, tell: (opened: OpenedPdf) => T): Promise<T> {
  return withPdf({ path }, { repair: false }, (opened) => guardDocument('fileInput', () => tell(opened)));
}
