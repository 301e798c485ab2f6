import { type OpenOptions, type SaveOptions, withDocument } from './document.js';

/**
 * Writes a PDF anew with PDFium, which rebuilds a broken cross-reference table on the way.
 * `removeSecurity` writes it without encryption. Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED.
 */
export async function resavePdf(bytes: Uint8Array, options: OpenOptions & SaveOptions = {}): Promise<Uint8Array> {
  return withDocument(bytes, options, (document) => document.save(options));
}
