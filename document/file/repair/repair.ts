import { DocumentError, isTooComplex } from '../../errors.js';
import { inspectPdf, refuseStructureBombs } from '../inspection/index.js';
import { resavePdf } from '../../engines/pdfium/index.js';
import { runQpdfRaw } from '../../engines/qpdf/index.js';
import { countPages, openLazily } from '../reader/index.js';
import { type Holdings, holdingsIn, isBetter, judge, type Judgement, shareKept, showsSomething } from './judge.js';
import { recoverPdf } from './recover.js';
import { programRung, type RepairProgram, type Rung, type RungResult, rungs } from './rungs.js';

/** How to repair. */
export interface RepairOptions {
  /** Programs outside this process, the last rungs of the ladder, in this order. */
  readonly programs?: readonly RepairProgram[];
  /** Milliseconds for each rung, 15 s by default, and as many for each engine that checks its result. */
  readonly rungMs?: number;
  /** Ends the work between two rungs, and within a program's. */
  readonly signal?: AbortSignal;
}

/** A rewritten document. */
export interface Repaired {
  readonly bytes: Uint8Array;
  /** The rung whose result this is: `quire`, `pdfium`, `libpdf`, or a program's name. */
  readonly rung: string;
  /** What was wrong with the file, in words; empty for a sound one. */
  readonly warnings: readonly string[];
  /** Rungs that were tried and not taken, each with the reason. */
  readonly passedOver: readonly string[];
}

/** What is known of the file before anything is tried. */
interface Before {
  readonly pages: number;
  readonly readable: boolean;
  readonly holdings: Holdings | undefined;
}

interface Candidate extends Judgement {
  readonly bytes: Uint8Array;
  readonly rung: string;
}

const RUNG_MS = 15_000;

/**
 * Rewrites a PDF so that strict readers open it: the rungs of the ladder are tried in order until a result reopens, has
 * all pages that any reader found, keeps bookmarks, form fields, attachments and the catalog's entries, and qpdf finds
 * nothing to complain of. Failing that the best result is given that a reader opens without mending. Programs are asked
 * only when nothing in this process did well. Errors: REPAIR_FAILED when no rung reads it (data.detail: each rung with
 * its reason), PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, those of the bounds, and the
 * signal's reason.
 */
export async function repairPdf(input: Uint8Array, options: RepairOptions = {}): Promise<Repaired> {
  const limits = { timeMs: options.rungMs ?? RUNG_MS, signal: options.signal ?? new AbortController().signal };
  const whole = withHeader(input);
  refuseStructureBombs(whole);
  const { bytes, ...before } = await lookBefore(whole, limits.timeMs);
  const warnings = new Set([
    ...(whole === input ? [] : ['its header was missing']),
    ...(bytes === whole ? [] : ['its encryption was out of order and is left out']),
  ]);
  const passedOver: string[] = [];
  let best: Candidate | undefined;
  let locked: unknown;
  for (const rung of [...rungs, ...(options.programs ?? []).map(programRung)]) {
    limits.signal.throwIfAborted();
    // A program draws or sorts anew what it does not understand: only for files with which nothing better was done.
    if (best !== undefined && !rungs.includes(rung) && best.verdict !== 'broken' && isComplete(best, before)) break;
    try {
      const result = await rung.rebuild(bytes, limits);
      result.warnings?.forEach((warning) => warnings.add(warning));
      const candidate = await bestForm(rung, result, limits.timeMs, before);
      if (
        candidate === undefined ||
        (!rungs.includes(rung) && !(await showsSomething(candidate.bytes, limits.timeMs)))
      ) {
        // A blank page is what programs make of a file in which they find nothing.
        passedOver.push(
          `${rung.name}: ${candidate === undefined ? 'what it wrote cannot be read again' : 'it shows nothing'}`,
        );
        continue;
      }
      if (best === undefined || isBetter(candidate, best, before.holdings)) best = candidate;
      if (candidate.verdict === 'clean' && isComplete(candidate, before)) break;
      passedOver.push(`${rung.name}: ${shortcoming(candidate, before)}`);
    } catch (error) {
      limits.signal.throwIfAborted();
      if (isFinal(error)) throw error;
      // One engine's wish for a password says nothing about a document that another opens without one.
      if (isLocked(error)) {
        if (!before.readable) throw error;
        locked ??= error;
      }
      passedOver.push(`${rung.name}: ${reasonOf(error)}`);
    }
  }
  if (best === undefined || (best.verdict === 'broken' && !best.opensAtOnce))
    throw locked ?? new DocumentError('REPAIR_FAILED', { field: 'fileInput', detail: passedOver.join('; ') });
  const { rung } = best;
  return {
    bytes: best.bytes,
    rung,
    warnings: [...warnings],
    passedOver: passedOver.filter((line) => !line.startsWith(`${rung}:`)),
  };
}

/** Readers want a header in the first 1024 bytes (ISO 32000-1, Annex H.3, note 13); one that is lost is put back. */
function withHeader(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isDocument =
    !buffer.subarray(0, 1024 + 5).includes('%PDF-') && /\d+\s+\d+\s+obj\b/.test(buffer.toString('latin1', 0, 4096));
  return isDocument ? Buffer.concat([Buffer.from('%PDF-1.7\n', 'latin1'), buffer]) : bytes;
}

/**
 * Looks at the file, decrypted where only others than our own reader make sense of its encryption. Errors: what makes
 * every repair pointless (a password is missing, a bound is passed).
 */
async function lookBefore(bytes: Uint8Array, timeMs: number): Promise<Before & { readonly bytes: Uint8Array }> {
  let pages = 1;
  let readable = false;
  try {
    ({ pages } = await inspectPdf(bytes));
    readable = true;
  } catch (error) {
    if (isFinal(error)) throw error;
    // Where attachments have a filter of their own, others open the pages and write the attachments as ciphertext.
    const decrypted =
      (isLocked(error) || mentions(bytes, '/Encrypt')) && !mentions(bytes, '/EFF')
        ? await decryptOtherwise(bytes, timeMs)
        : undefined;
    if (decrypted !== undefined) return lookBefore(decrypted, timeMs);
    if (isLocked(error)) throw error;
  }
  try {
    const document = openLazily(bytes);
    return { bytes, pages: Math.max(pages, countPages(document)), readable, holdings: holdingsIn(document) };
  } catch {
    return { bytes, pages, readable, holdings: undefined };
  }
}

/**
 * Encryption dictionaries that contradict themselves are read by some engines and not by others: qpdf and PDFium are
 * asked.
 */
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
 * The rung's result, or that result with its page tree put right, whichever is better. Engines copy a tree that lies as
 * it is.
 */
async function bestForm(
  rung: Rung,
  { bytes }: RungResult,
  timeMs: number,
  before: Before,
): Promise<Candidate | undefined> {
  const plain = await candidateOf(rung, bytes, timeMs);
  if (rung === rungs[0] || (plain?.verdict === 'clean' && isComplete(plain, before))) return plain;
  const mended = await mendedForm(rung, bytes, timeMs);
  return mended !== undefined && (plain === undefined || isBetter(mended, plain, before.holdings)) ? mended : plain;
}

async function mendedForm(rung: Rung, bytes: Uint8Array, timeMs: number): Promise<Candidate | undefined> {
  try {
    return await candidateOf(rung, recoverPdf(bytes, timeMs).bytes, timeMs);
  } catch {
    return undefined;
  }
}

async function candidateOf(rung: Rung, bytes: Uint8Array, timeMs: number): Promise<Candidate | undefined> {
  const judgement = await judge(bytes, timeMs);
  return judgement === undefined ? undefined : { ...judgement, bytes, rung: rung.name };
}

function isComplete(judgement: Judgement, before: Before): boolean {
  return judgement.pages >= before.pages && shareKept(before.holdings, judgement.holdings) === 1;
}

function shortcoming(candidate: Judgement, before: Before): string {
  if (candidate.pages < before.pages) return `${candidate.pages} of ${before.pages} pages`;
  if (candidate.verdict === 'broken') return 'strict readers refuse its result';
  return candidate.verdict === 'warnings' ? 'strict readers mend its result' : 'it lost more than pages';
}

function reasonOf(error: unknown): string {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { detail?: unknown } };
  if (typeof data?.detail === 'string') return data.detail;
  if (code === 'PDF_NO_PAGES') return 'it finds no page';
  if (code === 'CANCELLED' || code === 'TIMEOUT') return 'it came to no end with it';
  // The words of foreign errors may quote the document.
  return typeof code === 'string' && /^[A-Z]+(_[A-Z]+)+$/.test(code) ? code : 'it cannot read it';
}

function isLocked(error: unknown): boolean {
  return error instanceof DocumentError && error.code.startsWith('PDF_ENCRYPT');
}

/** Beyond a bound it is the same for every engine; but what is too broken for ours may be simple for another. */
function isFinal(error: unknown): boolean {
  return error instanceof DocumentError && isTooComplex(error) && error.code !== 'PDF_TOO_BROKEN';
}
