// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterContainsImageOptions {
  /** Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface FilterContainsImage {
  /**
   * Keep a PDF that contains an image.
   *
   * Image objects among a page's resources count, also inside forms, drawn or not. Inline images and images of
   * annotations do not.
   *
   * POST /api/v1/filter/filter-contains-image
   */
  filterContainsImage(
    file: Input,
    options?: FilterContainsImageOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
}
