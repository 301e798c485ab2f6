import { guardDocument, openPdf, savePdf } from '@quire/document/open';
import { removeSignatures } from '@quire/document/parts';

/** A document without signature fields. */
export interface Unsigned {
  readonly bytes: Uint8Array;
  /** How many fields went. */
  readonly removed: number;
}

/**
 * Rewrites a PDF without its signature fields; what a visible one shows becomes page content. Fields nested under others go too: the
 * reference leaves them, and a rewritten file that still shows a signature shows a broken one. Errors: those of `openPdf`.
 */
export async function removeSignatureFields(bytes: Uint8Array, modified?: Date): Promise<Unsigned> {
  const { document, pages, objectStreams } = await openPdf(bytes);
  return guardDocument('fileInput', async () => {
    const removed = removeSignatures(document.context, pages);
    return { bytes: await savePdf(document, { objectStreams, ...(modified === undefined ? {} : { modified }) }), removed };
  });
}
