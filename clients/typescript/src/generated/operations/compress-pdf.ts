// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CompressPdfOptions {
  /** Compression level from 1 to 9; ignored with expectedOutputSize. Whole number from 1 to 9. Default: 5. */
  readonly optimizeLevel?: number;
  /** Target size: a number with B, KB, MB, GB or TB (1 KB is 1024 bytes); MB without a unit. */
  readonly expectedOutputSize?: string;
  /** Linearize the file, so that viewers can show it while it loads. Default: false. */
  readonly linearize?: boolean;
  /** Rewrite page content in a regular form first. Default: false. */
  readonly normalize?: boolean;
  /** Convert images to greyscale; text and drawings keep their colours. Default: false. */
  readonly grayscale?: boolean;
  /** Convert images to black and white line art first. Default: false. */
  readonly lineArt?: boolean;
  /** Brightness in percent from which line art turns white; limited to 0 to 100. From 0 to 100 %. Default: 55. */
  readonly lineArtThreshold?: number;
  /** How strongly line art emphasises edges; limited to 1 to 3. Whole number from 1 to 3. Default: 1. */
  readonly lineArtEdgeLevel?: number;
}

export interface CompressPdf {
  /**
   * Compress a PDF by level or target size.
   *
   * Levels 1 to 3 are lossless: they compress streams and objects better, encode 1-bit images as JBIG2, and remove
   * unused objects. Levels 4 to 9 also downscale and recompress images, more strongly with each level, and reduce
   * composite TrueType fonts to the glyphs in use. From level 6 on, scans of text are separated into layers where
   * that is smaller: what is written stays sharp at the full resolution, one bit per pixel, over a background of low
   * resolution. With `expectedOutputSize` a level is chosen for you and raised until the size is reached or level 9
   * is; missing the target is not an error. If nothing smaller can be produced, the file is returned unchanged, even
   * where it is damaged; `X-Warnings` says so. `X-Tool-Report` holds `level`, `achieved`, `unchanged`, `scans` (how
   * many were separated), `inputBytes` and `outputBytes`.
   *
   * POST /api/v1/misc/compress-pdf
   */
  compressPdf(file: Input, options?: CompressPdfOptions, call?: CallOptions): Promise<FileResult>;
}
