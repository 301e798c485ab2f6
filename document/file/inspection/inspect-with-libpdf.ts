import { DocumentError } from '../../errors.js';
import type { PdfFacts } from './pdf-facts.js';
import { openWithLibpdf } from './libpdf.js';
import { inspectWithQuire } from './inspect-with-quire.js';

/**
 * Inspects a document with libpdf that no other parser could open; undefined when libpdf finds no page either. Throws
 * PDF_ENCRYPTED when it needs a password.
 */
export async function inspectWithLibpdf(bytes: Uint8Array): Promise<PdfFacts | undefined> {
  try {
    const document = await openWithLibpdf(bytes);
    // libpdf's own count includes truncated pages, so the document that it writes is counted.
    return {
      ...inspectWithQuire(await document.save({ incremental: false })),
      signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'),
      engine: 'libpdf',
    };
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'PDF_ENCRYPTED') throw error;
    return undefined;
  }
}
