// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitPdfBySectionsOptions {
  /** Which pages to split; the others stay whole. Default: SPLIT_ALL. */
  readonly splitMode?: 
    | 'CUSTOM'
    | 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST'
    | 'SPLIT_ALL_EXCEPT_FIRST'
    | 'SPLIT_ALL_EXCEPT_LAST'
    | 'SPLIT_ALL';
  /**
   * Pages to split, required with splitMode CUSTOM and otherwise ignored: numbers, ranges and formulas with n,
   * separated by commas (1,3,5-9 or 2n-1), or all.
   */
  readonly pageNumbers?: string;
  /** Number of vertical cuts: one less than the number of columns. Whole number from 0 to 50. Default: 0. */
  readonly horizontalDivisions?: number;
  /** Number of horizontal cuts: one less than the number of rows. Whole number from 0 to 50. Default: 1. */
  readonly verticalDivisions?: number;
  /** Return one PDF with all sections in order instead of a zip with one PDF per section. Default: false. */
  readonly merge?: boolean;
}

export interface SplitPdfBySections {
  /**
   * Split each page into a grid of sections.
   *
   * There are `horizontalDivisions` + 1 columns and `verticalDivisions` + 1 rows; sections are numbered column by
   * column from the left, each from top to bottom. Pages are divided as the reader sees them: cropped, rotated
   * upright, in points. A section starts at 0, 0 and clips the rest of its page, which remains in its file. Links,
   * comments and form fields go to the section that contains their centre, bookmarks lead to the section that shows
   * their target, and each section has the label of its page.
   *
   * POST /api/v1/general/split-pdf-by-sections
   */
  splitPdfBySections(file: Input, options?: SplitPdfBySectionsOptions, call?: CallOptions): Promise<FileResult>;
}
