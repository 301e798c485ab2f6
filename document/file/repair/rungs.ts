import { openWithLibpdf } from '../inspection/index.js';
import { resavePdf, withDocument } from '../../engines/pdfium/index.js';
import { recoverPdf } from './recover.js';

/** What a rung is given besides the file. */
export interface RungLimits {
  /** Milliseconds it may take. */
  readonly timeMs: number;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/** What a rung wrote. */
export interface RungResult {
  readonly bytes: Uint8Array;
  /** What was wrong with the file, in words; for rungs that tell. */
  readonly warnings?: readonly string[];
}

/** A step of the ladder: an engine that reads what it can of a damaged file and writes it anew. */
export interface Rung {
  readonly name: string;
  rebuild(bytes: Uint8Array, limits: RungLimits): Promise<RungResult>;
}

/**
 * A program outside this process that rewrites PDFs; the host runs it. It must end soon after its signal is aborted.
 */
export interface RepairProgram {
  readonly name: string;
  rebuild(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * The engines in this process, the one that keeps most in front. The work of each is one synchronous call, which V8
 * interrupts at the deadline, in wasm too; only libpdf's writing is asynchronous, and that takes time in proportion to
 * the file.
 */
export const rungs: readonly Rung[] = [
  { name: 'quire', rebuild: (bytes, { timeMs }) => recover(bytes, timeMs) },
  { name: 'pdfium', rebuild: async (bytes, { timeMs }) => ({ bytes: await resavePdf(bytes, { timeMs }) }) },
  {
    name: 'libpdf',
    rebuild: async (bytes, { timeMs }) => {
      const document = await openWithLibpdf(bytes, timeMs);
      // An incremental save would keep the damaged bytes in front.
      return { bytes: await document.save({ incremental: false }) };
    },
  },
];

/** Encryption is kept where others open the result; a dictionary that contradicts itself would lock them out. */
async function recover(bytes: Uint8Array, timeMs: number): Promise<RungResult> {
  const { encrypted, ...kept } = recoverPdf(bytes, timeMs);
  if (!encrypted || (await withDocument(kept.bytes, { timeMs }, () => true).catch(() => false))) return kept;
  const { bytes: plain, warnings = [] } = recoverPdf(bytes, timeMs, 'drop');
  return { bytes: plain, warnings: [...warnings, 'its encryption was out of order and is left out'] };
}

/** The rung of a program. At the deadline its signal is aborted, and whoever runs it ends it. */
export function programRung(program: RepairProgram): Rung {
  return {
    name: program.name,
    rebuild: async (bytes, { timeMs, signal }) => ({
      bytes: await program.rebuild(bytes, AbortSignal.any([signal, AbortSignal.timeout(timeMs)])),
    }),
  };
}
