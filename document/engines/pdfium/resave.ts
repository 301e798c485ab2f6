import { type OpenOptions, type SaveOptions, withDocument } from './document.js';

/**
 * Rewrites a PDF with PDFium, which rebuilds a broken cross-reference table. `removeSecurity` writes it without
 * encryption. Throws PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED.
 */
export async function resavePdf(bytes: Uint8Array, options: OpenOptions & SaveOptions = {}): Promise<Uint8Array> {
  return withDocument(bytes, options, (document) => document.save(options));
}
