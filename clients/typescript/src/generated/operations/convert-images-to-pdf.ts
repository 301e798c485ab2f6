// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertImagesToPdfOptions {
  /**
   * fillPage stretches to the paper, which changes the proportions; maintainAspectRatio scales and centres on it;
   * fitDocumentToImage makes the page as many points as the image has pixels. Default: fillPage.
   */
  readonly fitOption?: 'fillPage' | 'fitDocumentToImage' | 'maintainAspectRatio';
  /** Paper of the pages; no effect with fitDocumentToImage. Default: A4. */
  readonly pageSize?: 'A4' | 'LETTER';
  /** Colour mode: color, greyscale or blackwhite; any other value means color. Default: color. */
  readonly colorType?: string;
  /** Uses landscape pages for images that are wider than high. Default: false. */
  readonly autoRotate?: boolean;
}

export interface ConvertImagesToPdf {
  /**
   * Convert images to PDF.
   *
   * All files become one PDF in upload order. Each frame of a TIFF is a page; of animations the first frame is used.
   * JPEG data is kept unchanged, other images are stored losslessly, including transparency. The EXIF orientation is
   * applied, except for TIFF.
   *
   * POST /api/v1/convert/img/pdf
   */
  convertImagesToPdf(
    files: Input | readonly Input[],
    options?: ConvertImagesToPdfOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
}
