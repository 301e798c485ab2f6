import type { PDFDocument } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { walkPages } from '../pages/index.js';
import { openWithLibpdf } from './libpdf.js';
import { isWorthParsing } from './worth-parsing.js';

/** What a second parser found. */
export interface SecondOpinion {
  readonly pages: number;
  readonly signed: boolean;
  readonly engine: 'pdf-lib' | 'libpdf';
}

/**
 * Asks pdf-lib, then libpdf, about a document that PDFium could not open; undefined when neither finds a page.
 * Error: PDF_ENCRYPTED when one of them sees an /Encrypt entry.
 */
export async function askOtherParsers(bytes: Uint8Array): Promise<SecondOpinion | undefined> {
  if (!isWorthParsing(bytes)) return undefined;
  return (await askPdfLib(bytes)) ?? (await askLibpdf(bytes));
}

/** Pages that pdf-lib reaches by walking the page tree; 0 when it cannot open the document. */
export async function countWithPdfLib(bytes: Uint8Array): Promise<number> {
  return (await askPdfLib(bytes))?.pages ?? 0;
}

async function askPdfLib(bytes: Uint8Array): Promise<SecondOpinion | undefined> {
  const lib = await import('pdf-lib');
  let document: PDFDocument;
  try {
    // Full speed: parsing must not yield to timers between objects.
    document = await lib.PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Infinity, throwOnInvalidObject: false });
  } catch (error) {
    if (error instanceof lib.EncryptedPDFError) throw new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
    return undefined;
  }
  try {
    const pages = walkPages(document.context).length;
    return pages > 0 ? { pages, signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'), engine: 'pdf-lib' } : undefined;
  } catch {
    return undefined;
  }
}

async function askLibpdf(bytes: Uint8Array): Promise<SecondOpinion | undefined> {
  try {
    const document = await openWithLibpdf(bytes);
    // What it made out must be worth something to the others: its own count believes in pages that are cut off in the middle.
    const mended = await document.save({ incremental: false });
    const pages = await countWithPdfLib(mended);
    if (pages < 1) return undefined;
    return { pages, signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'), engine: 'libpdf' };
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'PDF_ENCRYPTED') throw error;
    return undefined;
  }
}
