// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToVectorOptions {
  /** Language of the result. Default: eps. */
  readonly outputFormat?: 'ps' | 'eps' | 'pcl' | 'xps';
}

export interface ConvertPdfToVector {
  /**
   * Convert a PDF to PostScript, EPS, PCL or XPS.
   *
   * The whole document becomes one file, drawn by Ghostscript: `ps` is PostScript, `pcl` is PCL XL in colour, `xps`
   * is XML Paper Specification. EPS allows only one page, so the pages of a longer document are stacked into one, the
   * first on top. Annotations are drawn; bookmarks, links and fields cannot be kept in these formats. If Ghostscript
   * crashes on the document, its pages are converted as images, and `X-Warnings` says so.
   *
   * POST /api/v1/convert/pdf/vector
   */
  convertPdfToVector(file: Input, options?: ConvertPdfToVectorOptions, call?: CallOptions): Promise<FileResult>;
}
