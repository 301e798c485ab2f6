// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToCbzOptions {
  /** Resolution of the images, at most the setting system.maxDPI; 0 or less means 300. Whole number. Default: 150. */
  readonly dpi?: number;
}

export interface ConvertPdfToCbz {
  /**
   * Convert a PDF to a CBZ comic.
   *
   * Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The zip is not
   * compressed further, because PNG is already compressed.
   *
   * POST /api/v1/convert/pdf/cbz
   */
  convertPdfToCbz(file: Input, options?: ConvertPdfToCbzOptions, call?: CallOptions): Promise<FileResult>;
}
