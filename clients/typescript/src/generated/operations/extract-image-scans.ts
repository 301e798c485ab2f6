// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractImageScansOptions {
  /** Skew in degrees from which a photo is straightened. Whole number from 0 to 90 °. Default: 5. */
  readonly angleThreshold?: number;
  /**
   * How much a colour channel may differ from the background, from 0 to 255. Whole number from 0 to 255. Default: 20.
   */
  readonly tolerance?: number;
  /** Minimum area of a photo's upright bounding box, in pixels. Whole number from 0. Default: 8000. */
  readonly minArea?: number;
  /** Minimum area inside a photo's outline, in pixels. Whole number from 0. Default: 500. */
  readonly minContourArea?: number;
  /** Pixels to trim from each side of a photo. Whole number from 0 to 10000 px. Default: 1. */
  readonly borderSize?: number;
}

export interface ExtractImageScans {
  /**
   * Crop photos out of scans.
   *
   * A photo is a connected area that differs from the background by more than `tolerance` in a colour channel. If it
   * is skewed by at least `angleThreshold` degrees, it is cut out along its smallest enclosing rectangle and
   * straightened; otherwise along its upright bounding box. PDF pages are rendered at the setting system.maxDPI, as
   * far as the pixel limits allow; photos of a page that shows only images are cut at the resolution of these images
   * if it is lower. `minArea` and `minContourArea` count pixels at system.maxDPI. A TIFF may have several frames.
   * Photos are numbered across all pages, in reading order. A single photo is returned as a PNG, several as a zip.
   *
   * POST /api/v1/misc/extract-image-scans
   */
  extractImageScans(file: Input, options?: ExtractImageScansOptions, call?: CallOptions): Promise<FileResult>;
}
