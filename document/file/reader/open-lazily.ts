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

const unchangedDocuments = new WeakMap<object, { readonly document: LazyDocument; readonly password?: string }>();

/**
 * Caches an unchanged document for the next reader of the same source that has the same password, so that it need not
 * be parsed again.
 */
export function cacheDocument(
  source: Uint8Array | LazySource,
  document: LazyDocument,
  { password }: LazyOptions = {},
): void {
  unchangedDocuments.set(source, { document, ...(password === undefined ? {} : { password }) });
}

/**
 * Removes the document cached for this source and returns it to a reader with the password that it was opened with; the
 * caller is then its only user.
 */
export function takeCachedDocument(
  source: Uint8Array | LazySource,
  { password }: LazyOptions = {},
): LazyDocument | undefined {
  const cached = unchangedDocuments.get(source);
  unchangedDocuments.delete(source);
  return cached?.password === password ? cached?.document : undefined;
}
