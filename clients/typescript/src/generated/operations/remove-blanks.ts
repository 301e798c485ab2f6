// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RemoveBlanksOptions {
  /**
   * A pixel counts as white if all its channels are at least 255 minus this value. Whole number from 0 to 255.
   * Default: 10.
   */
  readonly threshold?: number;
  /** Percentage of white pixels from which a page counts as blank. From 0.1 to 100 %. Default: 99.9. */
  readonly whitePercent?: number;
}

export interface RemoveBlanks {
  /**
   * Remove blank pages.
   *
   * A page with text is not blank; a page that draws nothing is blank. Every other page is rendered at the setting
   * system.maxDPI, as far as the pixel limits allow, and its white pixels are counted. The zip holds
   * `<base>_nonBlankPages.pdf`, and also `<base>_blankPages.pdf` if there are blank pages; if all pages are blank, it
   * holds only `<base>_allBlankPages.pdf`.
   *
   * POST /api/v1/misc/remove-blanks
   */
  removeBlanks(file: Input, options?: RemoveBlanksOptions, call?: CallOptions): Promise<FileResult>;
}
