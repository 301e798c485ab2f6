import type { PDFDocument } from 'pdf-lib';
import { DocumentError, isTooComplex } from '../errors.js';
import { inspectPdf, isWorthParsing, openWithLibpdf, refuseStructureBombs } from '../inspect/index.js';
import { openPdf, savePdf } from '../open/index.js';
import { resavePdf } from '../pdfium/index.js';
import { runQpdfRaw } from '../qpdf/index.js';

/** The engine that wrote the result. */
export type RepairEngine = 'pdf-lib' | 'pdfium' | 'libpdf';

/** A rewritten document. */
export interface Repaired {
  readonly bytes: Uint8Array;
  readonly engine: RepairEngine;
}

type Attempt = (bytes: Uint8Array) => Promise<Uint8Array>;
type Verdict = 'clean' | 'warnings' | 'broken';

/**
 * A sound document goes to pdf-lib first, which carries every object over; it reads a broken table by guessing, so a damaged one goes to the
 * engines that rebuild. A native program would be the last rung, but this runs in a worker, which starts none.
 */
const sound: readonly [RepairEngine, Attempt][] = [['pdf-lib', rewriteWithPdfLib], ['pdfium', resavePdf], ['libpdf', rewriteWithLibpdf], ['pdf-lib', rewriteMended]];
const broken: readonly [RepairEngine, Attempt][] = [['pdfium', resavePdf], ['libpdf', rewriteWithLibpdf], ['pdf-lib', rewriteWithPdfLib], ['pdf-lib', rewriteMended]];

/**
 * Rewrites a PDF so that strict readers open it: engines are tried in order until a result reopens with pages and qpdf finds nothing to
 * complain of; failing that, the best result is given that a reader opens without mending. Bookmarks, forms and attachments are carried over.
 * Errors: REPAIR_FAILED when nothing reads it, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, and those of `isTooComplex`.
 */
export async function repairPdf(input: Uint8Array): Promise<Repaired> {
  const bytes = withHeader(input);
  refuseStructureBombs(bytes);
  const before = await inspectPdf({ bytes }).catch((error: unknown) => {
    if (isFinal(error)) throw error;
    return undefined;
  });
  const wanted = before?.pages ?? 1;
  const encrypted = before?.encrypted === true;
  const order = !encrypted && (await verdict(bytes)) === 'clean' ? sound : broken;
  let locked: DocumentError | undefined;
  let best: (Repaired & { readonly verdict: Verdict; readonly pages: number }) | undefined;
  for (const [engine, attempt] of order) {
    const result = await attemptOne(attempt, bytes).catch((error: unknown) => {
      // One engine's wish for a password says nothing about a document that another opens without one.
      if (before === undefined || !(error instanceof DocumentError) || error.code !== 'PDF_ENCRYPTED') throw error;
      locked = error;
      return undefined;
    });
    if (result === undefined) continue;
    const candidate = { ...result, engine };
    if (candidate.verdict === 'clean' && candidate.pages >= wanted) return { bytes: candidate.bytes, engine };
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  if (best === undefined || (best.verdict === 'broken' && !(await opensAtOnce(best.bytes)))) throw locked ?? new DocumentError('REPAIR_FAILED', { field: 'fileInput', detail: 'pdfium, libpdf and pdf-lib were tried' });
  return { bytes: best.bytes, engine: best.engine };
}

/** Readers want a header in the first 1024 bytes (ISO 32000-1, Annex H.3, note 13); one that is lost is put back. */
function withHeader(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isDocument = !buffer.subarray(0, 1024 + 5).includes('%PDF-') && /\d+\s+\d+\s+obj\b/.test(buffer.toString('latin1', 0, 4096));
  return isDocument ? Buffer.concat([Buffer.from('%PDF-1.7\n', 'latin1'), buffer]) : bytes;
}

async function attemptOne(attempt: Attempt, bytes: Uint8Array): Promise<{ bytes: Uint8Array; verdict: Verdict; pages: number } | undefined> {
  try {
    const result = await attempt(bytes);
    const { pages, engine } = await inspectPdf({ bytes: result });
    // What only the forgiving parsers can open is not repaired.
    if (engine !== 'pdfium' || (await isEmptyForQpdf(result))) return undefined;
    return { bytes: result, pages, verdict: await verdict(result) };
  } catch (error) {
    if (isFinal(error)) throw error;
    return undefined;
  }
}

function isBetter(a: { verdict: Verdict; pages: number }, b: { verdict: Verdict; pages: number }): boolean {
  const rank: Record<Verdict, number> = { clean: 2, warnings: 1, broken: 0 };
  // What strict readers cannot open at all is the last choice, however many pages a forgiving one finds in it.
  if ((a.verdict === 'broken') !== (b.verdict === 'broken')) return b.verdict === 'broken';
  return a.pages !== b.pages ? a.pages > b.pages : rank[a.verdict] > rank[b.verdict];
}

/** What `qpdf --check` says, without decoding content streams: those may be bombs, and damage in them is not structural. */
async function verdict(bytes: Uint8Array): Promise<Verdict> {
  const { code } = await runQpdfRaw(['--object-streams=preserve', '--stream-data=preserve', '--decode-level=none', 'in.pdf', 'out.pdf'], {
    inputs: [{ name: 'in.pdf', bytes }],
    outputs: ['out.pdf'],
  });
  return code === 0 ? 'clean' : code === 3 ? 'warnings' : 'broken';
}

/** PDFium reaches pages through trees that stricter readers take for empty. */
async function isEmptyForQpdf(bytes: Uint8Array): Promise<boolean> {
  const { stdout } = await runQpdfRaw(['--show-npages', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: [] });
  return stdout.trim() === '0';
}

/** This qpdf fails where its native sister recovers; what the object model reads without help is repaired all the same. */
async function opensAtOnce(bytes: Uint8Array): Promise<boolean> {
  return openPdf(bytes).then(({ engine }) => engine === 'quire', () => false);
}

/** Puts the page tree right, and leaves out an encryption that asks for no password. */
async function rewriteMended(bytes: Uint8Array): Promise<Uint8Array> {
  const { document, objectStreams } = await openPdf(bytes);
  return savePdf(document, { objectStreams });
}

async function rewriteWithPdfLib(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isWorthParsing(bytes)) throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'no document structure was found' });
  const { PDFDocument } = await import('pdf-lib');
  const document: PDFDocument = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: Infinity });
  // Object streams only where the input has them: a PDF 1.4 or PDF/A-1 must not get what its version forbids.
  const useObjectStreams = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ObjStm');
  return document.save({ useObjectStreams, updateFieldAppearances: false, addDefaultPage: false, objectsPerTick: Infinity });
}

async function rewriteWithLibpdf(bytes: Uint8Array): Promise<Uint8Array> {
  const document = await openWithLibpdf(bytes);
  // An incremental save would keep the damaged bytes in front.
  return document.save({ incremental: false });
}

function isFinal(error: unknown): boolean {
  return error instanceof DocumentError && (error.code === 'PDF_ENCRYPTED' || error.code === 'PDF_ENCRYPTION_UNSUPPORTED' || isTooComplex(error));
}
