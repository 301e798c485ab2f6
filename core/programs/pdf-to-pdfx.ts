import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PdfToPdfX } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { beginsLikePdf } from './rebuild-pdf.js';
import type { ProgramSupervisor } from './supervisor.js';

/** Resolutions of pictures (contract/convert.yml, pdf/pdfa): those that have more are brought down to them. */
const PICTURES = [
  '-dDownsampleColorImages=true', '-dColorImageResolution=300', '-dColorImageDownsampleType=/Bicubic', '-dDownsampleGrayImages=true', '-dGrayImageResolution=300', '-dGrayImageDownsampleType=/Bicubic',
  '-dDownsampleMonoImages=true', '-dMonoImageResolution=1200', '-dMonoImageDownsampleType=/Subsample',
];

/** Draws PDFs anew for PDF/X with Ghostscript: in RGB, fonts embedded, annotations flat. That the result is PDF/X is the caller's concern. */
export class GhostscriptPdfToPdfX implements PdfToPdfX {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, PROGRAM_FAILED, and what the supervisor rejects with. */
  async draw(input: string, output: string, signal: AbortSignal): Promise<void> {
    const program = 'ghostscript';
    if (!this.programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
    // It would run anything else as a program in PostScript.
    if (!(await beginsLikePdf(input))) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'the file does not begin like a PDF' });
    await this.programs.run(program, [
      '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dCompatibilityLevel=1.6', '-dPDFSETTINGS=/prepress', '-dEmbedAllFonts=true', '-sColorConversionStrategy=RGB', '-sProcessColorModel=DeviceRGB',
      '-dConvertCMYKImagesToRGB=true', ...PICTURES, '-dAutoRotatePages=/None', '-dShowAnnots=true', '-dPreserveAnnots=false', '-o', output, '-f', input,
    ], { cwd: dirname(output), signal });
    const size = await stat(output).then((found) => found.size, () => 0);
    if (size === 0) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'it wrote nothing' });
  }
}
