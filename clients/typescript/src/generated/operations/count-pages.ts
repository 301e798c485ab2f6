// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `countPages`. */
export type CountPagesAnswer = {
  /** Pages */
  readonly pageCount: number;
};

export interface CountPages {
  /**
   * Count the pages of a PDF.
   *
   * Counts the pages in the page tree and ignores `/Count`. Only the page tree is read, which takes milliseconds for
   * any file size.
   *
   * POST /api/v1/analysis/page-count
   */
  countPages(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<CountPagesAnswer>;
}
