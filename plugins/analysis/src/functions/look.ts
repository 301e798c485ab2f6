import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';

/**
 * Gives what `tell` makes of the PDF on disk, whose page tree alone is read before it is asked. Errors: PDF_ENCRYPTED
 * where it needs a password, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED, PDF_NO_PAGES.
 */
export function look<T>(path: string, tell: (opened: OpenedPdf) => T): Promise<T> {
  return withPdf({ path }, { repair: false }, (opened) => guardDocument('fileInput', () => tell(opened)));
}
