// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RearrangePagesOptions {
  /** How to order the pages, in upper or lower case; CUSTOM uses pageNumbers. Default: CUSTOM. */
  readonly customMode?: 
    | 'CUSTOM'
    | 'REVERSE_ORDER'
    | 'DUPLEX_SORT'
    | 'BOOKLET_SORT'
    | 'SIDE_STITCH_BOOKLET_SORT'
    | 'ODD_EVEN_SPLIT'
    | 'REMOVE_FIRST'
    | 'REMOVE_LAST'
    | 'REMOVE_FIRST_AND_LAST'
    | 'DUPLICATE';
  /**
   * New order for CUSTOM: numbers, ranges and formulas with n, separated by commas (3,1,5-9 or 2n-1), or all; for
   * DUPLICATE the number of copies of each page. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface RearrangePages {
  /**
   * Reorder, remove or duplicate pages.
   *
   * CUSTOM puts the listed pages in the listed order, each of them once; pages that are not listed are removed
   * together with everything that only they used. `general/assemble-pages` can use a page more than once. DUPLEX_SORT
   * gives 1, n, 2, n-1 and so on; with an odd page count the middle page is last, while BOOKLET_SORT leaves it out.
   * SIDE_STITCH_BOOKLET_SORT orders each four pages as 4, 1, 2, 3 and fills up with the last page. DUPLICATE repeats
   * every page `pageNumbers` times (2 if that is not a number). A copy of a page has the same content and its own
   * annotations; a form field on it remains one field with one value.
   *
   * POST /api/v1/general/rearrange-pages
   */
  rearrangePages(file: Input, options?: RearrangePagesOptions, call?: CallOptions): Promise<FileResult>;
}
