// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterPageCountOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Page count to compare with. Whole number. Default: 0. */
  readonly pageCount?: number;
}

export interface FilterPageCount {
  /**
   * Keep a PDF by its page count.
   *
   * The document's own count is compared with the given one: 5 pages, `pageCount=3`, `Greater` keeps the file. A file
   * that is not kept answers 204 and leaves a pipeline.
   *
   * POST /api/v1/filter/filter-page-count
   */
  filterPageCount(file: Input, options: FilterPageCountOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
