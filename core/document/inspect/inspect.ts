import { DocumentError } from '../errors.js';
import { type ByteSource, type PdfiumDocument, withDocument } from '../pdfium/index.js';
import { refuseStructureBombs } from './bomb-check.js';
import { FileSource } from './file-source.js';
import { askOtherParsers, countWithPdfLib } from './second-opinion.js';
import { isWorthParsing } from './worth-parsing.js';

/** A document to look at: on disk (read piece by piece) or in memory. */
export type InspectInput = { readonly path: string } | { readonly bytes: Uint8Array };

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
  /** The parser that opened it. */
  readonly engine: 'pdfium' | 'pdf-lib' | 'libpdf';
}

/** Up to this size a file is searched for structure bombs before PDFium sees it. */
const CHECKED_SIZE = 5 * 1024 * 1024;
/** Up to this size a count that looks too low is checked by walking the page tree. */
const RECOUNTED_SIZE = 512 * 1024;
/** Other parsers hold the whole document and all its objects: not for giants. */
const SECOND_OPINION_SIZE = 64 * 1024 * 1024;

/**
 * Opens a PDF and tells what it is: page count, encryption, signatures. Cheap enough to run before and after every operation.
 * PDFium is asked first; when it finds no document, pdf-lib and libpdf are.
 * Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, INPUT_TOO_MANY_PAGES (data.found, data.limit), INPUT_TOO_COMPLEX.
 */
export async function inspectPdf(input: InspectInput, limits: InspectLimits = {}): Promise<PdfFacts> {
  if ('bytes' in input) return inspectSource(input.bytes, () => input.bytes, limits);
  const file = await FileSource.open(input.path);
  try {
    if (file.size > CHECKED_SIZE) return await inspectSource(file, () => file.bytes(), limits);
    const bytes = file.bytes();
    return await inspectSource(bytes, () => bytes, limits);
  } finally {
    await file.close();
  }
}

async function inspectSource(source: Uint8Array | ByteSource, whole: () => Uint8Array, limits: InspectLimits): Promise<PdfFacts> {
  const size = source instanceof Uint8Array ? source.length : source.size;
  if (size === 0) throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it is empty' });
  if (size <= CHECKED_SIZE) refuseStructureBombs(whole());
  let facts: PdfFacts;
  try {
    facts = await withDocument(source, limits.password === undefined ? {} : { password: limits.password }, (document) => factsOf(document, limits));
    if (size <= RECOUNTED_SIZE) facts = await recount(facts, whole());
  } catch (error) {
    const code = error instanceof DocumentError ? error.code : undefined;
    const unlocked = code === 'PDF_ENCRYPTED' && size <= SECOND_OPINION_SIZE ? await unlock(whole(), limits.password ?? '') : undefined;
    if (code === 'PDF_ENCRYPTED' && unlocked === undefined && limits.allowLocked === true) {
      return { pages: 0, encrypted: true, opensWithoutPassword: false, signed: false, engine: 'pdfium' };
    }
    if (unlocked !== undefined) facts = { ...(await withDocument(unlocked, {}, (document) => factsOf(document, limits))), encrypted: true };
    else if (code === 'PDF_DAMAGED' || code === 'PDF_NO_PAGES') facts = await secondOpinion(error, size, whole);
    else throw error;
  }
  refuseTooMany(facts.pages, limits);
  return facts;
}

/** PDFium asks for a password where some files of revision 6 need none; qpdf's word counts. Undefined when it is locked for both. */
async function unlock(bytes: Uint8Array, password: string): Promise<Uint8Array | undefined> {
  const { runQpdfRaw } = await import('../qpdf/index.js');
  const { code, files } = await runQpdfRaw([`--password=${password}`, '--decrypt', 'in.pdf', 'out.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] });
  return code === 0 || code === 3 ? files['out.pdf'] : undefined;
}

function factsOf(document: PdfiumDocument, limits: InspectLimits): PdfFacts {
  const pages = document.reachablePages((limits.maxPages ?? Infinity) + 1);
  if (pages === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  return { pages, encrypted: document.encrypted, opensWithoutPassword: true, signed: document.signatureCount() > 0, engine: 'pdfium' };
}

/** A root whose /Count is too small hides pages from PDFium, while parsers that walk the tree see them. */
async function recount(facts: PdfFacts, bytes: Uint8Array): Promise<PdfFacts> {
  if (facts.encrypted) return facts;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const leaves = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  // Saved again and again, a document holds old copies of its pages: only then does this cost a parse.
  if (leaves <= facts.pages || !isWorthParsing(bytes)) return facts;
  const pages = await countWithPdfLib(bytes);
  return pages > facts.pages ? { ...facts, pages } : facts;
}

async function secondOpinion(refusal: unknown, size: number, whole: () => Uint8Array): Promise<PdfFacts> {
  if (size > SECOND_OPINION_SIZE) throw refusal;
  const bytes = whole();
  // Unlike PDFium, these parsers inflate every object stream at once.
  refuseStructureBombs(bytes);
  const found = await askOtherParsers(bytes);
  if (found === undefined) throw refusal;
  return { ...found, encrypted: false, opensWithoutPassword: true };
}

function refuseTooMany(found: number, { maxPages }: InspectLimits): void {
  if (maxPages !== undefined && found > maxPages) throw new DocumentError('INPUT_TOO_MANY_PAGES', { found, limit: maxPages });
}
