// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface EditPageLabelsOptions {
  /** JSON array of ranges: pageNumber (from 1), style, prefix and start. */
  readonly labels: Json;
}

export interface EditPageLabels {
  /**
   * Set the page labels of a PDF.
   *
   * Page labels are the numbers that viewers show for pages and accept to go to one; nothing is printed on the pages
   * (`misc/add-page-numbers` does that). `labels` lists ranges in the format that `general/extract-page-labels`
   * returns, in any order; a range ends where the next one begins. `style` is `decimal` (1, 2, 3) when absent, or
   * `romanLower` (i, ii, iii), `romanUpper` (I, II, III), `lettersLower` (a to z, then aa, bb), `lettersUpper` or
   * `none`, which shows the prefix alone. `prefix` is empty and `start` is 1 when absent. Pages before the first
   * range are numbered 1, 2, 3. All labels are replaced; `[]` removes them.
   *
   * POST /api/v1/general/edit-page-labels
   */
  editPageLabels(file: Input, options: EditPageLabelsOptions, call?: CallOptions): Promise<FileResult>;
}
