// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertCbrToPdfOptions {
  /** Scales large images down for reading on a screen. Default: false. */
  readonly optimizeForEbook?: boolean;
}

export interface ConvertCbrToPdf {
  /**
   * Convert a CBR comic to PDF.
   *
   * One page for each image (jpg, jpeg, png, gif, bmp, webp, also in folders) with as many points as the image has
   * pixels, in natural order of the full names. JPEGs are not recompressed. Unreadable images are left out and
   * counted as `skipped` in X-Tool-Report. Many comics are a zip named .cbr or a RAR named .cbz: the first bytes
   * decide. RAR 2.9 to 5 is supported; encrypted, split and (before version 5) solid RAR archives are refused.
   *
   * POST /api/v1/convert/cbr/pdf
   */
  convertCbrToPdf(file: Input, options?: ConvertCbrToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
