// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitPagesOptions {
  /**
   * Last pages of the parts: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1), or all.
   * Default: all.
   */
  readonly pageNumbers?: string;
}

export interface SplitPages {
  /**
   * Split a PDF after given pages.
   *
   * Each selected page is the last page of a part; the last page of the document always ends one. A part contains
   * nothing of any other page: no text, image, bookmark, link or form field. Attachments of the document are not
   * included in the parts.
   *
   * POST /api/v1/general/split-pages
   */
  splitPages(file: Input, options?: SplitPagesOptions, call?: CallOptions): Promise<FileResult>;
}
