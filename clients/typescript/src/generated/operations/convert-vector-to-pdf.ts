// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertVectorToPdfOptions {
  /** Optimises the PDF for printing: images keep their resolution, colours stay unchanged. Default: false. */
  readonly prepress?: boolean;
}

export interface ConvertVectorToPdf {
  /**
   * Convert PostScript or EPS to PDF.
   *
   * Ghostscript runs the PostScript, which cannot read or write files or start programs; the result is PDF 1.4. EPS
   * is cropped to its bounding box, also in its DOS form. A PDF is returned unchanged. PCL and XPS are refused.
   * PostScript that fails or exceeds its limits is refused with its error; `prepress` keeps more detail of images and
   * colours.
   *
   * POST /api/v1/convert/vector/pdf
   */
  convertVectorToPdf(file: Input, options?: ConvertVectorToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
