import type { PDF } from '@libpdf/core';
import { DocumentError } from '../../errors.js';
import { withinTime } from '../../interrupt.js';
import { isWorthParsing } from './worth-parsing.js';

/**
 * A document that libpdf has not read by now (ms) is one it never will: some stray brackets keep its recovery in a
 * loop.
 */
const PATIENCE = 4000;

/**
 * Opens a PDF with libpdf, the most forgiving of the parsers, and stops it when it does not come to an end in `timeMs`,
 * at most 4 s. Errors: PDF_DAMAGED; PDF_ENCRYPTED when it needs a password.
 */
export async function openWithLibpdf(bytes: Uint8Array, timeMs: number = PATIENCE): Promise<PDF> {
  if (!isWorthParsing(bytes)) throw damaged('no document structure was found');
  const lib = await import('@libpdf/core');
  let document: PDF;
  try {
    document = await withinTime(Math.min(timeMs, PATIENCE), () => lib.PDF.load(bytes));
  } catch (error) {
    throw damaged('no parser came to an end with it', error);
  }
  if (document.isEncrypted && !document.isAuthenticated)
    throw new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
  return document;
}

function damaged(detail: string, cause?: unknown): DocumentError {
  return new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail }, [], { cause });
}
