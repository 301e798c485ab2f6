// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToImagesOptions {
  /** Image format, which is also the file extension. Default: png. */
  readonly imageFormat?: 'png' | 'jpeg' | 'jpg' | 'gif' | 'webp' | 'tif' | 'tiff';
  /**
   * single stacks the pages in one image; multiple, or any other value, gives one image per page. Default: multiple.
   */
  readonly singleOrMultiple?: string;
  /** Colour mode: color, greyscale or blackwhite; any other value means color. Default: color. */
  readonly colorType?: string;
  /** Resolution; at most the setting system.maxDPI. Whole number from 1 dpi. Default: 300. */
  readonly dpi?: number;
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
  /** Also draws annotations and form fields. Default: false. */
  readonly includeAnnotations?: boolean;
}

export interface ConvertPdfToImages {
  /**
   * Convert pages to images.
   *
   * The image has the size of the crop box in points times dpi / 72, rounded down. `multiple` gives a zip with one
   * image per page, numbered in the requested order; `single` stacks the pages from top to bottom (TIFF: one frame
   * per page). WebP images are scaled down to 16383 pixels per side.
   *
   * POST /api/v1/convert/pdf/img
   */
  convertPdfToImages(file: Input, options?: ConvertPdfToImagesOptions, call?: CallOptions): Promise<FileResult>;
}
