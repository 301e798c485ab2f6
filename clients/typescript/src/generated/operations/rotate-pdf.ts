// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RotatePdfOptions {
  /** Clockwise angle in degrees, a multiple of 90 (0, 90, 180, 270). Whole number. Default: 90. */
  readonly angle?: number;
}

export interface RotatePdf {
  /**
   * Rotate all pages.
   *
   * The angle is added to the current rotation of each page. Any multiple of 90 is accepted, including negative
   * values and values above 360.
   *
   * POST /api/v1/general/rotate-pdf
   */
  rotatePdf(file: Input, options?: RotatePdfOptions, call?: CallOptions): Promise<FileResult>;
}
