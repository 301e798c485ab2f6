// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SmartSplitOptions {
  /** Rule for the parts, in words. */
  readonly rule: string;
  /** Most parts; a rule that makes more is refused. Whole number from 1 to 500. Default: 500. */
  readonly maxParts?: number;
}

export interface SmartSplit {
  /**
   * Split a PDF by a rule in words.
   *
   * Understood without a language model, in English, German, French and Spanish:
   *
   * - page ranges: `1-3, 4-6, 7-`
   * - `every 5 pages`, `each page`, `into 3 parts`
   * - `at each chapter`, `by bookmarks`, `at each heading`
   * - `at blank pages`, which are left out
   * - `where the text matches /Invoice\s+\d+/`, `at "Invoice"`: such a page begins a part; `after "End of letter"`:
   * it ends one
   * - `per invoice number`, and order, customer and VAT numbers, names, dates: a part goes on as long as the value
   * stays the same
   *
   * Pages before the first part are a part of their own. Any other rule is asked of the language model, whose page
   * ranges are checked; 503 where none is set up. Parts keep bookmarks, links, fields, tags and page labels of their
   * pages. 422 where the rule finds nothing, or more than `maxParts`.
   *
   * POST /api/v1/docparse/smart-split
   */
  smartSplit(file: Input, options: SmartSplitOptions, call?: CallOptions): Promise<FileResult>;
}
