import type { PDF } from '@libpdf/core';
import { DocumentError } from '../../errors.js';
import { withinTime } from '../../interrupt.js';
import { isWorthParsing } from './worth-parsing.js';

/**
 * Milliseconds. A document that libpdf has not read by then is one it never will: some stray brackets send its recovery
 * into a loop.
 */
const LIBPDF_MS = 4000;

/**
 * Opens a PDF with libpdf, the most forgiving parser, and stops it after `timeMs`, at most 4 s. Throws PDF_DAMAGED;
 * PDF_ENCRYPTED when it needs a password.
 */
export async function openWithLibpdf(bytes: Uint8Array, timeMs: number = LIBPDF_MS): Promise<PDF> {
  if (!isWorthParsing(bytes)) throw damaged('no document structure was found');
  const lib = await import('@libpdf/core');
  let document: PDF;
  try {
    document = await withinTime(Math.min(timeMs, LIBPDF_MS), () => lib.PDF.load(bytes));
  } catch (error) {
    throw damaged('no parser could read it in time', error);
  }
  if (document.isEncrypted && !document.isAuthenticated)
    throw new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
  return document;
}

function damaged(detail: string, cause?: unknown): DocumentError {
  return new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail }, [], { cause });
}
