// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RemovePagesOptions {
  /** Pages to remove: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1). */
  readonly pageNumbers: string;
}

export interface RemovePages {
  /**
   * Delete pages.
   *
   * Everything that only the removed pages used is removed with them: content, links and bookmarks to them, and form
   * fields without another widget.
   *
   * POST /api/v1/general/remove-pages
   */
  removePages(file: Input, options: RemovePagesOptions, call?: CallOptions): Promise<FileResult>;
}
