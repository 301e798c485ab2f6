import { openWithLibpdf } from '../inspection/index.js';
import { resavePdf, withDocument } from '../../engines/pdfium/index.js';
import { recoverPdf } from './recover.js';
import type { EngineResult, RepairEngine, RepairProgram } from './repair-engine.js';

/**
 * The engines in this process, the most faithful first. Each does its work in one synchronous call, which V8 interrupts
 * at the deadline, in WebAssembly too. Only libpdf's writing is asynchronous, and its time is proportional to the
 * file's size.
 */
export const engines: readonly RepairEngine[] = [
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

/**
 * Keeps the encryption where other readers open the result; a dictionary that contradicts itself would lock them out.
 */
async function recover(bytes: Uint8Array, timeMs: number): Promise<EngineResult> {
  const { encrypted, ...kept } = recoverPdf(bytes, timeMs);
  if (!encrypted || (await withDocument(kept.bytes, { timeMs }, () => true).catch(() => false))) return kept;
  const { bytes: plain, warnings = [] } = recoverPdf(bytes, timeMs, 'drop');
  return { bytes: plain, warnings: [...warnings, 'its encryption was invalid and has been removed'] };
}

/** The engine for a program. At the deadline its signal is aborted, and the host must end it. */
export function programEngine(program: RepairProgram): RepairEngine {
  return {
    name: program.name,
    rebuild: async (bytes, { timeMs, signal }) => ({
      bytes: await program.rebuild(bytes, AbortSignal.any([signal, AbortSignal.timeout(timeMs)])),
    }),
  };
}
