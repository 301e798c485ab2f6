// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface LayOutPagesOptions {
  /** DEFAULT uses pagesPerSheet, CUSTOM uses rows and cols. Default: DEFAULT. */
  readonly mode?: 'DEFAULT' | 'CUSTOM';
  /**
   * Pages per sheet: 2 (side by side) or a square number (4, 9, 16 and so on); ignored with CUSTOM. Whole number from
   * 1 to 100000. Default: 2.
   */
  readonly pagesPerSheet?: number;
  /** Rows per sheet, for CUSTOM. Whole number from 1 to 300. Default: 1. */
  readonly rows?: number;
  /** Columns per sheet, for CUSTOM. Whole number from 1 to 300. Default: 2. */
  readonly cols?: number;
  /** Whether pages fill a row or a column first. Default: BY_ROWS. */
  readonly arrangement?: 'BY_ROWS' | 'BY_COLUMNS';
  /** RTL starts at the right. Default: LTR. */
  readonly readingDirection?: 'LTR' | 'RTL';
  /** Orientation of the sheets. Default: PORTRAIT. */
  readonly orientation?: 'PORTRAIT' | 'LANDSCAPE';
  /** Free space on each side within a cell, in points. Whole number from 0 pt. Default: 0. */
  readonly innerMargin?: number;
  /** Free space at the top of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly topMargin?: number;
  /** Free space at the bottom of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly bottomMargin?: number;
  /** Free space at the left of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly leftMargin?: number;
  /** Free space at the right of a sheet, in points. Whole number from 0 pt. Default: 0. */
  readonly rightMargin?: number;
  /** Draw a black line around each page. Default: false. */
  readonly addBorder?: boolean;
  /** Width of the border in points; 0 means 1. Whole number to 1000 pt. Default: 1. */
  readonly borderWidth?: number;
}

export interface LayOutPages {
  /**
   * Put several pages on each sheet (N-up).
   *
   * Sheets are A4. Each page is scaled evenly to fit its cell and centred, upright as the reader sees it. Links,
   * bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages; page
   * labels are removed, because a sheet shows several of the pages that they number.
   *
   * POST /api/v1/general/multi-page-layout
   */
  layOutPages(file: Input, options?: LayOutPagesOptions, call?: CallOptions): Promise<FileResult>;
}
