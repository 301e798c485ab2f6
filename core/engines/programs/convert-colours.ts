import type { ConvertColours } from '@quire/registry';
import { drawPdf } from './program-files.js';
import type { ProgramSupervisor } from './supervisor.js';

/** Images keep their size and lose as little quality as possible. */
const KEEP_PICTURES = [
  '-dPDFSETTINGS=/prepress',
  '-dDownsampleColorImages=false',
  '-dDownsampleGrayImages=false',
  '-dDownsampleMonoImages=false',
];

/** Converts the colours of pages to DeviceCMYK with Ghostscript, with its own profiles. */
export class GhostscriptConvertColours implements ConvertColours {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE, and what the supervisor rejects with. */
  toCmyk(input: string, output: string, signal: AbortSignal): Promise<void> {
    return drawPdf(
      this.programs,
      input,
      output,
      [
        '-sDEVICE=pdfwrite',
        ...KEEP_PICTURES,
        '-sColorConversionStrategy=CMYK',
        '-sProcessColorModel=DeviceCMYK',
        '-dShowAnnots=false',
        '-dPreserveAnnots=false',
      ],
      signal,
    );
  }
}
