// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterContainsTextOptions {
  /** Text to look for; any text when absent. */
  readonly text?: string;
  /** Pages to look at: numbers, ranges and formulas in n, separated by commas, or all. Default: all. */
  readonly pageNumbers?: string;
}

export interface FilterContainsText {
  /**
   * Keep a PDF that contains a text.
   *
   * Searches page by page, case-sensitive; a phrase across a line break does not match. Without `text`, any text
   * keeps the file. Pages that do not exist match nothing.
   *
   * POST /api/v1/filter/filter-contains-text
   */
  filterContainsText(
    file: Input,
    options?: FilterContainsTextOptions,
    call?: CallOptions,
  ): Promise<FileResult | undefined>;
}
