// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `extractPageLabels`. */
export type ExtractPageLabelsAnswer = readonly {
  /** First page of the range, counted from 1 */
  readonly pageNumber: number;
  /** How its pages are numbered; `none` shows the prefix alone */
  readonly style: 
    | 'decimal'
    | 'romanLower'
    | 'romanUpper'
    | 'lettersLower'
    | 'lettersUpper'
    | 'none';
  /** Text before each number */
  readonly prefix: string;
  /** Number of its first page */
  readonly start: number;
}[];

export interface ExtractPageLabels {
  /**
   * Get the page labels of a PDF as JSON.
   *
   * Page labels are the numbers that viewers show for pages, such as iv or A-3. A range ends where the next one
   * begins: its first page has the number `start`, and each label is `prefix` followed by the number in `style`. A
   * document without page labels, whose pages viewers number 1, 2, 3, returns an empty list.
   * `general/edit-page-labels` accepts the same format.
   *
   * POST /api/v1/general/extract-page-labels
   */
  extractPageLabels(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ExtractPageLabelsAnswer>;
}
