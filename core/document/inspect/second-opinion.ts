import type { PDFDict, PDFDocument, PDFObject } from 'pdf-lib';
import { DocumentError } from '../errors.js';
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
    const { context } = document;
    const root = context.lookup(context.trailerInfo.Root);
    const pages = root instanceof lib.PDFDict ? countPages(root.get(lib.PDFName.of('Pages')), lib, document) : 0;
    return pages > 0 ? { pages, signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'), engine: 'pdf-lib' } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts leaves of the page tree without recursion; a node met twice counts once, so a cycle ends. */
function countPages(top: PDFObject | undefined, lib: typeof import('pdf-lib'), document: PDFDocument): number {
  const seen = new Set<PDFDict>();
  const open: (PDFObject | undefined)[] = [top];
  let pages = 0;
  while (open.length > 0) {
    const node = document.context.lookup(open.pop());
    if (!(node instanceof lib.PDFDict) || seen.has(node)) continue;
    seen.add(node);
    const kids = node.lookup(lib.PDFName.of('Kids'));
    if (kids instanceof lib.PDFArray) open.push(...kids.asArray());
    else pages++;
  }
  return pages;
}

async function askLibpdf(bytes: Uint8Array): Promise<SecondOpinion | undefined> {
  try {
    const document = await openWithLibpdf(bytes);
    const pages = document.getPageCount();
    // A page that cannot be reached is no page, whatever the count says.
    if (pages < 1 || document.getPage(pages - 1) === null) return undefined;
    return { pages, signed: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange'), engine: 'libpdf' };
  } catch (error) {
    if (error instanceof DocumentError && error.code === 'PDF_ENCRYPTED') throw error;
    return undefined;
  }
}
