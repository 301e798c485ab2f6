// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertSvgToPdfOptions {
  /** Returns one PDF with a page for each drawing instead of one PDF each. Default: false. */
  readonly combineIntoSinglePdf?: boolean;
}

export interface ConvertSvgToPdf {
  /**
   * Convert SVG to PDF.
   *
   * A page has as many points as the drawing has pixels, or its true size if that is given in units of length; a
   * drawing without a size fills 595 x 842 points. Text stays text. Scripts, events and foreign content are removed;
   * drawings that refer to other files are refused; embedded images are kept. If there are several drawings, those
   * that cannot be drawn are left out and counted as `skipped` in X-Tool-Report.
   *
   * POST /api/v1/convert/svg/pdf
   */
  convertSvgToPdf(
    files: Input | readonly Input[],
    options?: ConvertSvgToPdfOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
}
