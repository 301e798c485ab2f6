import type { PdfToPdfX } from '@quire/registry';
import { drawPdf } from './program-files.js';
import type { ProgramSupervisor } from './supervisor.js';

/** Resolutions of images (docs/interface/convert.yml, pdf/pdfa): images with a higher one are reduced to these. */
const PICTURES = [
  '-dDownsampleColorImages=true',
  '-dColorImageResolution=300',
  '-dColorImageDownsampleType=/Bicubic',
  '-dDownsampleGrayImages=true',
  '-dGrayImageResolution=300',
  '-dGrayImageDownsampleType=/Bicubic',
  '-dDownsampleMonoImages=true',
  '-dMonoImageResolution=1200',
  '-dMonoImageDownsampleType=/Subsample',
];

/**
 * Redraws PDFs for PDF/X with Ghostscript: in RGB, fonts embedded, annotations flat. That the result is PDF/X is the
 * caller's concern.
 */
export class GhostscriptPdfToPdfX implements PdfToPdfX {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE, and what the supervisor rejects with. */
  draw(input: string, output: string, signal: AbortSignal): Promise<void> {
    return drawPdf(
      this.programs,
      input,
      output,
      [
        '-sDEVICE=pdfwrite',
        '-dCompatibilityLevel=1.6',
        '-dPDFSETTINGS=/prepress',
        '-dEmbedAllFonts=true',
        '-sColorConversionStrategy=RGB',
        '-sProcessColorModel=DeviceRGB',
        '-dConvertCMYKImagesToRGB=true',
        ...PICTURES,
        '-dShowAnnots=true',
        '-dPreserveAnnots=false',
      ],
      signal,
    );
  }
}
