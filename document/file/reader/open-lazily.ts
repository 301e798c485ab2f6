import type { LazySource } from './byte-windows.js';
import { LazyDocument, type LazyOptions } from './lazy-document.js';

/**
 * Opens a PDF and reads only where its objects are; each is parsed on lookup. Throws PDF_DAMAGED when there is neither
 * a cross-reference nor a catalog; the errors of `isTooComplex` above a limit on size, depth or work; PDF_ENCRYPTED
 * when it needs another password, PDF_ENCRYPTION_PUBLIC_KEY, PDF_ENCRYPTION_UNSUPPORTED.
 */
export function openLazily(source: Uint8Array | LazySource, options: LazyOptions = {}): LazyDocument {
  return new LazyDocument(source, options);
}

const unchangedDocuments = new WeakMap<object, LazyDocument>();

/** Caches an unchanged document for the next reader of the same source, so that it need not be parsed again. */
export function cacheDocument(source: Uint8Array | LazySource, document: LazyDocument): void {
  unchangedDocuments.set(source, document);
}

/** Removes and returns the document cached for this source; the caller is then its only user. */
export function takeCachedDocument(source: Uint8Array | LazySource): LazyDocument | undefined {
  const document = unchangedDocuments.get(source);
  unchangedDocuments.delete(source);
  return document;
}
