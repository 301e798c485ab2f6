// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToCbrOptions {
  /** Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Whole number. Default: 150. */
  readonly dpi?: number;
}

export interface ConvertPdfToCbr {
  /**
   * Convert a PDF to a CBR comic.
   *
   * Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The archive uses
   * RAR 2.9, which every reader knows, without further compression, because PNG is already compressed.
   *
   * POST /api/v1/convert/pdf/cbr
   */
  convertPdfToCbr(file: Input, options?: ConvertPdfToCbrOptions, call?: CallOptions): Promise<FileResult>;
}
