import type { OpenedPdf } from '@quire/document/file/open';
import { removeSignatures } from '@quire/document/signatures/fields';

/**
 * Removes a PDF's signature fields in place; what a visible one shows becomes page content. Fields nested under others
 * go too: the reference leaves them, and a rewritten file that still shows a signature shows a broken one. Gives how
 * many fields went.
 */
export function removeSignatureFields({ document, pages }: OpenedPdf): number {
  return removeSignatures(document.context, pages);
}
