import { DocumentError, isTooComplex } from '../../errors.js';
import type { DocMdpLevel } from '../../signatures/fields/signature-state.js';
import { openLazily } from '../reader/index.js';
import { type PdfiumDocument, withDocument } from '../../engines/pdfium/index.js';
import { allBytes, FileSource, isKeeping, keepSource, type PdfInput, withSource } from '../source/index.js';
import { refuseStructureBombs } from './bomb-check.js';
import { ownFacts } from './own-facts.js';
import { askLibpdf } from './second-opinion.js';

/** What inspection demands. */
export interface InspectLimits {
  /** More pages than this end with INPUT_TOO_MANY_PAGES. */
  readonly maxPages?: number;
  /** Password to open it with. */
  readonly password?: string;
  /** True to learn of a locked document instead of PDF_ENCRYPTED; its pages are then 0, since nobody can count them. */
  readonly allowLocked?: boolean;
}

/** What is known of a document that was opened. */
export interface PdfFacts {
  /** Pages that can really be reached; the document's own count is not believed. */
  readonly pages: number;
  readonly encrypted: boolean;
  /** False only for a locked document asked about with `allowLocked`. */
  readonly opensWithoutPassword: boolean;
  /** True when a signature field holds a signature with a /ByteRange (ISO 32000-1, 12.8.1). */
  readonly signed: boolean;
  /** How far a certified document still allows changes; our own reader alone tells it. */
  readonly certified?: DocMdpLevel;
  /** The parser that opened it. */
  readonly engine: 'quire' | 'pdfium' | 'libpdf';
}

/** Up to this size a file is searched for structure bombs before anything else sees it. */
const CHECKED_SIZE = 5 * 1024 * 1024;
/** Up to this size a result is read in one go. */
const SMALL = 1024 * 1024;
/** libpdf holds the whole document and all its objects: not for giants. */
const SECOND_OPINION_SIZE = 64 * 1024 * 1024;

/**
 * Opens a PDF with our own reader and tells what it is: page count, encryption, signatures. It reads only what that
 * takes (milliseconds, whatever the size). When it finds no document, PDFium and libpdf are asked. Errors: PDF_DAMAGED,
 * PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, INPUT_TOO_MANY_PAGES (data.found,
 * data.limit), and those of the bounds.
 */
export async function inspectPdf(input: PdfInput, limits: InspectLimits = {}): Promise<PdfFacts> {
  if (!isKeeping() || !('path' in input) || input instanceof FileSource)
    return withSource(input, (source) => checkedFacts(source, limits));
  const source = FileSource.open(input.path);
  try {
    const facts = await checkedFacts(source, limits);
    keepSource(source);
    return facts;
  } catch (error) {
    source.close();
    throw error;
  }
}

async function checkedFacts(source: Uint8Array | FileSource, limits: InspectLimits): Promise<PdfFacts> {
  const facts = await factsOf(source, limits);
  if (limits.maxPages !== undefined && facts.pages > limits.maxPages)
    throw new DocumentError('INPUT_TOO_MANY_PAGES', { found: facts.pages, limit: limits.maxPages });
  return facts;
}

/**
 * Opens a PDF that we wrote with an engine that did not write it, PDFium, and tells how many pages that finds; of what
 * PDFium gives up on, what our own reader finds. When PDFium claims as many pages as are `expected`, its word and the
 * first page are enough; otherwise every page is looked for. With a `password` PDFium alone is asked whether it opens.
 * Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function inspectResult(
  input: PdfInput,
  expected?: number,
  password?: string,
): Promise<Pick<PdfFacts, 'pages' | 'engine'>> {
  return withSource(input, async (source) => {
    try {
      // In memory a small file costs no callback from the engine's machine into ours.
      const readable = sizeOf(source) <= SMALL ? allBytes(source) : source;
      return await withDocument(readable, password === undefined ? {} : { password }, (document) => {
        if (document.pageCount === expected && document.hasPage(0))
          return { pages: expected, engine: 'pdfium' as const };
        return pdfiumFacts(document, Infinity);
      });
    } catch (error) {
      // Encryption that only our own reader makes sense of came with the input; what was locked with a password must
      // open elsewhere, too.
      if (!(error instanceof DocumentError) || (error.code === 'PDF_ENCRYPTED' && password !== undefined)) throw error;
      return ownFacts(source, password);
    }
  });
}

/**
 * True for a PDF that anybody may open, as far as its encryption tells; what cannot be read at all says nothing of one.
 */
export async function opensWithoutPassword(input: PdfInput): Promise<boolean> {
  return withSource(input, async (source) => {
    try {
      openLazily(source);
      return true;
    } catch (error) {
      return !(error instanceof DocumentError && error.code === 'PDF_ENCRYPTED');
    }
  });
}

async function factsOf(source: Uint8Array | FileSource, limits: InspectLimits): Promise<PdfFacts> {
  // Our own reader inflates nothing unasked; what runs after it may.
  if (sizeOf(source) <= CHECKED_SIZE) refuseStructureBombs(allBytes(source));
  try {
    return ownFacts(source, limits.password);
  } catch (error) {
    if (!(error instanceof DocumentError))
      return secondOpinion(
        source,
        limits,
        new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'its objects contradict each other' }, [], {
          cause: error,
        }),
      );
    const { code } = error;
    if (isTooComplex(error)) throw error;
    if (code === 'PDF_ENCRYPTED') return locked(error, limits);
    return secondOpinion(source, limits, error);
  }
}

function locked(error: DocumentError, limits: InspectLimits): PdfFacts {
  if (limits.allowLocked !== true) throw error;
  return { pages: 0, encrypted: true, opensWithoutPassword: false, signed: false, engine: 'quire' };
}

/** What our own reader makes nothing of, others may; their refusals are less telling than the first. */
async function secondOpinion(
  source: Uint8Array | FileSource,
  limits: InspectLimits,
  refusal: DocumentError,
): Promise<PdfFacts> {
  const size = sizeOf(source);
  if (size === 0) throw refusal;
  try {
    return await withDocument(source, limits.password === undefined ? {} : { password: limits.password }, (document) =>
      pdfiumFacts(document, (limits.maxPages ?? Infinity) + 1),
    );
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.code === 'PDF_ENCRYPTED') return locked(error, limits);
    if (size > SECOND_OPINION_SIZE) throw refusal;
  }
  const bytes = allBytes(source);
  // Unlike PDFium, libpdf inflates every object stream at once.
  refuseStructureBombs(bytes);
  const found = await askLibpdf(bytes);
  if (found === undefined) throw refusal;
  return found;
}

function sizeOf(source: Uint8Array | FileSource): number {
  return source instanceof Uint8Array ? source.length : source.size;
}

function pdfiumFacts(document: PdfiumDocument, enough: number): PdfFacts {
  const pages = document.reachablePages(enough);
  if (pages === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  return {
    pages,
    encrypted: document.encrypted,
    opensWithoutPassword: true,
    signed: document.signatureCount() > 0,
    engine: 'pdfium',
  };
}
