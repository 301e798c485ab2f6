import { DocumentError } from '../../errors.js';
import type { PdfFacts } from './inspect.js';
import { openWithLibpdf } from './libpdf.js';
import { ownFacts } from './own-facts.js';

/**
 * Asks libpdf about a document that nobody else could open; undefined when it finds no page either.
 * Error: PDF_ENCRYPTED when it needs a password.
 */
export async function askLibpdf(bytes: Uint8Array): Promise<PdfFacts | undefined> {
  try {
    const document = await openWithLibpdf(bytes);
    // What it made out must be worth something to others: its own count believes in pages that are cut off in the
    // middle.
    return {
      ...ownFacts(await document.save({ incremental: false }), undefined),
      signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'),
      engine: 'libpdf',
    };
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'PDF_ENCRYPTED') throw error;
    return undefined;
  }
}
