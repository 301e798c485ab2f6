// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterPageSizeOptions {
  /** How the document's value must compare with the given one. */
  readonly comparator: 'Greater' | 'Equal' | 'Less';
  /** Standard size to compare with, in any case. Default: A4. */
  readonly standardPageSize?: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL';
}

export interface FilterPageSize {
  /**
   * Keep a PDF by the size of its first page.
   *
   * Areas are compared (width times height of the media box), so portrait and landscape are alike. Areas within 0.4
   * percent of the standard are equal to it.
   *
   * POST /api/v1/filter/filter-page-size
   */
  filterPageSize(file: Input, options: FilterPageSizeOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
