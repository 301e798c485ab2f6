import { damageBehind, DocumentError, isTooComplex } from '../../errors.js';
import { lockOf, triedRevision6, wasUnlocked } from '../encryption/index.js';
import { type LazyDocument, openLazily } from '../reader/index.js';
import { type ByteSource, type PdfiumDocument, withDocument } from '../../engines/pdfium/index.js';
import { allBytes, FileSource, canCacheSource, cacheSource, type PdfInput, withSource } from '../source/index.js';
import { refuseStructureBombs } from './bomb-check.js';
import { checkLock } from './check-lock.js';
import { inRevision5 } from './in-revision-5.js';
import { inspectWithQuire } from './inspect-with-quire.js';
import { inspectWithLibpdf } from './inspect-with-libpdf.js';
import type { Damage } from '../damage/index.js';
import type { InspectLimits } from './inspect-limits.js';
import type { PdfFacts } from './pdf-facts.js';

/** Up to this size, in bytes, a file is searched for structure bombs before any parser sees it. */
const BOMB_CHECK_MAX_BYTES = 5 * 1024 * 1024;
/** Up to this size, in bytes, a result is read in one go. */
const IN_MEMORY_MAX_BYTES = 1024 * 1024;
/** In bytes. libpdf holds the whole document and all its objects in memory, so it is not used for larger files. */
const LIBPDF_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens a PDF with Quire's reader and returns its page count, encryption and signatures. Reads only the parts that this
 * needs (milliseconds at any size). When Quire's reader cannot open the file, PDFium and libpdf try. Throws
 * PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, INPUT_TOO_MANY_PAGES
 * (data.found, data.limit), and the errors of `bounds.ts`.
 */
export async function inspectPdf(input: PdfInput, limits: InspectLimits = {}): Promise<PdfFacts> {
  if (!canCacheSource() || !('path' in input) || input instanceof FileSource)
    return withSource(input, (source) => checkedFacts(source, limits));
  const source = FileSource.open(input.path);
  try {
    const facts = await checkedFacts(source, limits);
    cacheSource(source);
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

/** Adds damage to the facts about a file that only another parser can open. Obsolete encryption is no damage. */
function withDamage(facts: PdfFacts, limits: InspectLimits, refusal: DocumentError): PdfFacts {
  if (limits.findDamage !== true || refusal.code === 'PDF_ENCRYPTION_UNSUPPORTED') return facts;
  const damage: Damage = {
    repaired: [`Only ${facts.engine} can open the file, which is damaged; objects may be missing.`],
    lost: [],
  };
  return { ...facts, damage };
}

/** True once PDFium has opened a document of revision 6 here, with its own hashes of the password. */
let hashesAgree = false;

/**
 * Reopens a PDF that Quire wrote with an independent engine, PDFium, and returns the page count that it finds; when
 * PDFium fails, the count of Quire's reader. When PDFium reports `expected` pages, only the first is looked up;
 * otherwise every page is. With a `password`, both must be able to open the file, and Quire's reader not without it.
 * Passwords of revision 6, which take PDFium ten milliseconds, it checks itself in the first file of a process, in
 * others only where `inRevision5` cannot spare it. Of files that were encrypted as a whole, `checkLock` reads every
 * stream. Throws PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function inspectResult(
  input: PdfInput,
  expected?: number,
  password?: string,
): Promise<Pick<PdfFacts, 'pages' | 'engine'>> {
  return withSource(input, async (source) => {
    const own = openAgain(source, password);
    try {
      // For a small file in memory, WebAssembly need not call back into JavaScript.
      const readable = sizeOf(source) <= IN_MEMORY_MAX_BYTES ? allBytes(source) : source;
      const spared = hashesAgree && own !== undefined ? inRevision5(readable, own, password) : undefined;
      const found =
        spared === undefined ? undefined : await refusedAsUndefined(openWithPdfium(spared, expected, password));
      return found ?? (await openWithPdfium(readable, expected, password));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      // Encryption that only Quire's reader understands came with the input; a file that was locked here must open in
      // other readers, too.
      const renewed = source instanceof FileSource && lockOf(source.path)?.renewed === true;
      if (error.code === 'PDF_ENCRYPTED' && (renewed || password !== undefined)) throw error;
      return inspectWithQuire(source, password === undefined ? {} : { password });
    }
  });
}

/**
 * Opens an encrypted result with Quire's reader and checks the encryption of one that was written as a whole. Undefined
 * for a result that was written without encryption, when this run has not seen a document of revision 6, and for an
 * update that cannot be opened. One with a password is always opened, and must not open without it.
 */
function openAgain(source: Uint8Array | FileSource, password: string | undefined): LazyDocument | undefined {
  const [lock, plain] = source instanceof FileSource ? [lockOf(source.path), wasUnlocked(source.path)] : [];
  if (password === undefined && lock === undefined && (plain === true || !triedRevision6())) return undefined;
  try {
    const lazy = openLazily(source, password === undefined ? {} : { password });
    if (password !== undefined && password !== '' && lazy.security?.opensWithoutPassword() !== false)
      throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'it opens without its password' });
    if (lock !== undefined) checkLock(lazy, lock);
    return lazy;
  } catch (error) {
    if (password === undefined && lock === undefined && error instanceof DocumentError) return undefined;
    throw error;
  }
}

async function openWithPdfium(
  readable: Uint8Array | ByteSource,
  expected: number | undefined,
  password: string | undefined,
): Promise<Pick<PdfFacts, 'pages' | 'engine'>> {
  return withDocument(readable, password === undefined ? {} : { password }, (document) => {
    hashesAgree ||= document.securityRevision === 6;
    if (document.pageCount === expected && document.hasPage(0)) return { pages: expected, engine: 'pdfium' as const };
    return pdfiumFacts(document, Infinity);
  });
}

/** What PDFium refuses under the other revision is opened as it is, and judged by that. */
function refusedAsUndefined<T>(opening: Promise<T>): Promise<T | undefined> {
  return opening.catch((error: unknown) => {
    if (error instanceof DocumentError) return undefined;
    throw error;
  });
}

async function factsOf(source: Uint8Array | FileSource, limits: InspectLimits): Promise<PdfFacts> {
  // Quire's reader inflates nothing without being asked; later parsers may.
  if (limits.sound !== true && sizeOf(source) <= BOMB_CHECK_MAX_BYTES) refuseStructureBombs(allBytes(source));
  try {
    return inspectWithQuire(source, limits);
  } catch (error) {
    if (!(error instanceof DocumentError)) {
      const data = { field: 'fileInput', detail: damageBehind(error) };
      return inspectWithOthers(source, limits, new DocumentError('PDF_DAMAGED', data, [], { cause: error }));
    }
    const { code } = error;
    if (isTooComplex(error)) throw error;
    if (code === 'PDF_ENCRYPTED') return locked(error, limits);
    return inspectWithOthers(source, limits, error);
  }
}

function locked(error: DocumentError, limits: InspectLimits): PdfFacts {
  if (limits.allowLocked !== true) throw error;
  return { pages: 0, encrypted: true, opensWithoutPassword: false, signed: false, engine: 'quire' };
}

/** Other parsers may read a file that Quire's reader cannot; their errors say less than the first one. */
async function inspectWithOthers(
  source: Uint8Array | FileSource,
  limits: InspectLimits,
  refusal: DocumentError,
): Promise<PdfFacts> {
  const size = sizeOf(source);
  if (size === 0) throw refusal;
  try {
    return await withDocument(source, limits.password === undefined ? {} : { password: limits.password }, (document) =>
      withDamage(pdfiumFacts(document, (limits.maxPages ?? Infinity) + 1), limits, refusal),
    );
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.code === 'PDF_ENCRYPTED') return locked(error, limits);
    if (size > LIBPDF_MAX_BYTES) throw refusal;
  }
  const bytes = allBytes(source);
  // Unlike PDFium, libpdf inflates every object stream at once.
  refuseStructureBombs(bytes);
  const found = await inspectWithLibpdf(bytes);
  if (found === undefined) throw refusal;
  return withDamage(found, limits, refusal);
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
