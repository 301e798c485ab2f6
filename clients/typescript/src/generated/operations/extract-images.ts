// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractImagesOptions {
  /** Format of the images, and their file extension. Default: png. */
  readonly format?: 'png' | 'jpeg' | 'gif';
}

export interface ExtractImages {
  /**
   * Extract the images of a PDF.
   *
   * Each image is extracted once, at its own size and in sRGB, and named after the first page that uses it:
   * `<base>_page_<page>_<number>`. On each page, images of the page's own resources come first, then those inside
   * form XObjects, then inline images. PNG keeps transparency; JPEG and GIF show it as white. Image masks become
   * black on white. A document without images returns an empty zip. `X-Tool-Report` holds `images` and `unreadable`,
   * the number of images that could not be decoded and were skipped.
   *
   * POST /api/v1/misc/extract-images
   */
  extractImages(file: Input, options?: ExtractImagesOptions, call?: CallOptions): Promise<FileResult>;
}
