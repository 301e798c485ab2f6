import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConvertColours } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { beginsLikePdf } from './rebuild-pdf.js';
import type { ProgramSupervisor } from './supervisor.js';

/** Pictures keep their size and lose as little as they can. */
const KEEP_PICTURES = ['-dPDFSETTINGS=/prepress', '-dDownsampleColorImages=false', '-dDownsampleGrayImages=false', '-dDownsampleMonoImages=false'];

/** Converts the colours of pages to DeviceCMYK with Ghostscript, by its own profiles. */
export class GhostscriptConvertColours implements ConvertColours {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, PROGRAM_FAILED, and what the supervisor rejects with. */
  async toCmyk(input: string, output: string, signal: AbortSignal): Promise<void> {
    const program = 'ghostscript';
    if (!this.programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
    // It would run anything else as a program in PostScript.
    if (!(await beginsLikePdf(input))) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'the file does not begin like a PDF' });
    await this.programs.run(program, [
      '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', ...KEEP_PICTURES, '-sColorConversionStrategy=CMYK', '-sProcessColorModel=DeviceCMYK',
      '-dAutoRotatePages=/None', '-dShowAnnots=false', '-dPreserveAnnots=false', '-o', output, '-f', input,
    ], { cwd: dirname(output), signal });
    const size = await stat(output).then((found) => found.size, () => 0);
    if (size === 0) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'it wrote nothing' });
  }
}
