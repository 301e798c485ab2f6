import { DocumentError, isTooComplex } from '../../errors.js';
import { inspectPdf, refuseStructureBombs } from '../inspection/index.js';
import { resavePdf } from '../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../engines/qpdf/index.js';
import { findDamage } from '../damage/index.js';
import { countPages, openLazily, readPageTree } from '../reader/index.js';
import {
  type ContentCounts,
  contentCountsOf,
  isBetter,
  assessResult,
  type Assessment,
  shareKept,
  hasVisibleContent,
} from './assess-result.js';
import { recoverPdf } from './recover.js';
import { engines, programEngine } from './engines.js';
import type { EngineResult, RepairEngine, RepairProgram } from './repair-engine.js';

export interface RepairOptions {
  /** Programs outside this process, tried last, in this order. */
  readonly programs?: readonly RepairProgram[];
  /**
   * Milliseconds for each engine to rewrite the file, 15 s by default, and as many for each engine that checks the
   * result.
   */
  readonly engineMs?: number;
  /** Aborts between two engines, and while a program runs. */
  readonly signal?: AbortSignal;
}

export interface Repaired {
  readonly bytes: Uint8Array;
  /** The engine whose result this is: `quire`, `pdfium`, `libpdf`, or a program's name. */
  readonly engine: string;
  /** Faults of the file, as sentences; empty for a sound one. */
  readonly warnings: readonly string[];
  /** Content that no engine could bring back, as sentences. */
  readonly lost: readonly string[];
  /** Engines whose results were not used, each with the reason. */
  readonly passedOver: readonly string[];
}

/** The state of the file before the first attempt. */
interface InputState {
  readonly pages: number;
  readonly readable: boolean;
  readonly counts: ContentCounts | undefined;
}

interface Candidate extends Assessment {
  readonly bytes: Uint8Array;
  readonly engine: string;
}

const ENGINE_MS = 15_000;

/**
 * Rewrites a PDF so that strict readers open it. The engines are tried in order until a result reopens, has all pages
 * that any reader found, keeps bookmarks, form fields, attachments and the catalog's entries, and qpdf has no
 * complaint. If none does, the best result that a reader opens without repairing it is returned. Programs are tried
 * only when no engine in this process did well. Throws REPAIR_FAILED when no engine reads it (data.detail: each engine
 * with its reason), PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, the errors of `bounds.ts`,
 * and the signal's reason.
 */
export async function repairPdf(input: Uint8Array, options: RepairOptions = {}): Promise<Repaired> {
  const limits = { timeMs: options.engineMs ?? ENGINE_MS, signal: options.signal ?? new AbortController().signal };
  const whole = withHeader(input);
  refuseStructureBombs(whole);
  const { bytes, ...before } = await inspectInput(whole, limits.timeMs);
  const warnings = new Set([
    ...(whole === input ? [] : ['its header was missing']),
    ...(bytes === whole ? [] : ['its encryption was invalid and has been removed']),
  ]);
  const passedOver: string[] = [];
  let best: Candidate | undefined;
  let locked: unknown;
  for (const engine of [...engines, ...(options.programs ?? []).map(programEngine)]) {
    limits.signal.throwIfAborted();
    // Programs redraw or reorder content that they do not understand, so they are used only when no engine produced a
    // complete result.
    if (best !== undefined && !engines.includes(engine) && best.verdict !== 'broken' && isComplete(best, before)) break;
    try {
      const result = await engine.rebuild(bytes, limits);
      result.warnings?.forEach((warning) => warnings.add(warning));
      const candidate = await bestResult(engine, result, limits.timeMs, before);
      if (
        candidate === undefined ||
        (!engines.includes(engine) && !(await hasVisibleContent(candidate.bytes, limits.timeMs)))
      ) {
        // Programs write a blank page when they find no content in a file.
        passedOver.push(
          `${engine.name}: ${candidate === undefined ? 'its output cannot be read' : 'its output is blank'}`,
        );
        continue;
      }
      if (best === undefined || isBetter(candidate, best, before.counts)) best = candidate;
      if (candidate.verdict === 'clean' && isComplete(candidate, before)) break;
      passedOver.push(`${engine.name}: ${rejectionReason(candidate, before)}`);
    } catch (error) {
      limits.signal.throwIfAborted();
      if (isFinal(error)) throw error;
      // One engine may ask for a password for a document that another opens without one.
      if (isLocked(error)) {
        if (!before.readable) throw error;
        locked ??= error;
      }
      passedOver.push(`${engine.name}: ${reasonOf(error)}`);
    }
  }
  if (best === undefined || (best.verdict === 'broken' && !best.opensAtOnce))
    throw locked ?? new DocumentError('REPAIR_FAILED', { field: 'fileInput', detail: passedOver.join('; ') });
  const { engine } = best;
  return {
    bytes: best.bytes,
    engine,
    warnings: [...warnings],
    // Quire's own engine writes what its reader finds, and blanks what it cannot decode.
    lost: lostIn(engine === 'quire' ? bytes : best.bytes),
    passedOver: passedOver.filter((line) => !line.startsWith(`${engine}:`)),
  };
}

function lostIn(bytes: Uint8Array): readonly string[] {
  try {
    const document = openLazily(bytes);
    return findDamage(document, readPageTree(document)).lost;
  } catch {
    // Only other engines read it.
    return [];
  }
}

/** Readers want a header in the first 1024 bytes (ISO 32000-1, Annex H.3, note 13); a lost one is added. */
function withHeader(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isDocument =
    !buffer.subarray(0, 1024 + 5).includes('%PDF-') && /\d+\s+\d+\s+obj\b/.test(buffer.toString('latin1', 0, 4096));
  return isDocument ? Buffer.concat([Buffer.from('%PDF-1.7\n', 'latin1'), buffer]) : bytes;
}

/**
 * Inspects the file, and decrypts it where only engines other than Quire's reader understand its encryption. Throws
 * errors that make every repair pointless (a missing password, an exceeded limit).
 */
async function inspectInput(bytes: Uint8Array, timeMs: number): Promise<InputState & { readonly bytes: Uint8Array }> {
  let pages = 1;
  let readable = false;
  try {
    ({ pages } = await inspectPdf(bytes));
    readable = true;
  } catch (error) {
    if (isFinal(error)) throw error;
    // Where attachments have a crypt filter (/EFF), other engines decrypt the pages and write the attachments as
    // ciphertext.
    const decrypted =
      (isLocked(error) || mentions(bytes, '/Encrypt')) && !mentions(bytes, '/EFF')
        ? await decryptOtherwise(bytes, timeMs)
        : undefined;
    if (decrypted !== undefined) return inspectInput(decrypted, timeMs);
    if (isLocked(error)) throw error;
  }
  try {
    const document = openLazily(bytes);
    return { bytes, pages: Math.max(pages, countPages(document)), readable, counts: contentCountsOf(document) };
  } catch {
    return { bytes, pages, readable, counts: undefined };
  }
}

/** Some engines read encryption dictionaries that contradict themselves: qpdf and PDFium are tried. */
async function decryptOtherwise(bytes: Uint8Array, timeMs: number): Promise<Uint8Array | undefined> {
  const { code, files } = await runQpdfRaw(['--decrypt', 'in.pdf', 'out.pdf'], {
    inputs: [{ name: 'in.pdf', bytes }],
    outputs: ['out.pdf'],
    timeMs,
  });
  const byQpdf = code === 0 || code === 3 ? files['out.pdf'] : undefined;
  if (byQpdf !== undefined && isPlain(byQpdf)) return byQpdf;
  const byPdfium = await resavePdf(bytes, { removeSecurity: true, timeMs }).catch(() => undefined);
  return byPdfium !== undefined && isPlain(byPdfium) ? byPdfium : undefined;
}

function mentions(bytes: Uint8Array, word: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(word);
}

function isPlain(bytes: Uint8Array): boolean {
  try {
    return !openLazily(bytes).encrypted;
  } catch {
    return false;
  }
}

/**
 * Returns the engine's result, or that result with its page tree repaired, whichever is better. Engines copy a wrong
 * tree as it is.
 */
async function bestResult(
  engine: RepairEngine,
  { bytes }: EngineResult,
  timeMs: number,
  before: InputState,
): Promise<Candidate | undefined> {
  const plain = await candidateOf(engine, bytes, timeMs);
  if (engine === engines[0] || (plain?.verdict === 'clean' && isComplete(plain, before))) return plain;
  const repaired = await withRepairedTree(engine, bytes, timeMs);
  return repaired !== undefined && (plain === undefined || isBetter(repaired, plain, before.counts)) ? repaired : plain;
}

async function withRepairedTree(
  engine: RepairEngine,
  bytes: Uint8Array,
  timeMs: number,
): Promise<Candidate | undefined> {
  try {
    return await candidateOf(engine, recoverPdf(bytes, timeMs).bytes, timeMs);
  } catch {
    return undefined;
  }
}

async function candidateOf(engine: RepairEngine, bytes: Uint8Array, timeMs: number): Promise<Candidate | undefined> {
  const assessment = await assessResult(bytes, timeMs);
  return assessment === undefined ? undefined : { ...assessment, bytes, engine: engine.name };
}

function isComplete(assessment: Assessment, before: InputState): boolean {
  return assessment.pages >= before.pages && shareKept(before.counts, assessment.counts) === 1;
}

function rejectionReason(candidate: Assessment, before: InputState): string {
  if (candidate.pages < before.pages) return `${candidate.pages} of ${before.pages} pages`;
  if (candidate.verdict === 'broken') return 'strict readers reject its result';
  return candidate.verdict === 'warnings' ? 'strict readers repair its result' : 'strict readers repair its result';
}

function reasonOf(error: unknown): string {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { detail?: unknown } };
  if (typeof data?.detail === 'string') return data.detail;
  if (code === 'PDF_NO_PAGES') return 'it finds no pages';
  if (code === 'CANCELLED' || code === 'TIMEOUT') return 'it did not finish in time';
  // Messages of foreign errors may quote the document.
  return typeof code === 'string' && /^[A-Z]+(_[A-Z]+)+$/.test(code) ? code : 'it cannot read it';
}

function isLocked(error: unknown): boolean {
  return error instanceof DocumentError && error.code.startsWith('PDF_ENCRYPT');
}

/** Limits are the same for every engine; but a file that is too broken for Quire's reader may be simple for another. */
function isFinal(error: unknown): boolean {
  return error instanceof DocumentError && isTooComplex(error) && error.code !== 'PDF_TOO_BROKEN';
}
