// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddPageNumbersOptions {
  /**
   * Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the page's width and height. Any
   * other value means medium. Default: medium.
   */
  readonly customMargin?: string;
  /** Font size in points. From 1 to 14400 pt. Default: 12. */
  readonly fontSize?: number;
  /** Font: helvetica, courier or times. Any other value means helvetica. Default: helvetica. */
  readonly fontType?: string;
  /** Colour as #RRGGBB, 0xRRGGBB or a decimal number; an unreadable value means black. Default: #000000. */
  readonly fontColor?: string;
  /** Minimum number of digits; shorter numbers get leading zeros. Whole number from 0 to 100. Default: 0. */
  readonly zeroPad?: number;
  /**
   * Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom; values outside 1 to 9 are
   * limited to that range. Whole number from 1 to 9. Default: 8.
   */
  readonly position?: number;
  /** Number for the first numbered page. Whole number from 1. Default: 1. */
  readonly startingNumber?: number;
  /**
   * Pages to number, in this order: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1), or
   * all. Default: all.
   */
  readonly pagesToNumber?: string;
  /**
   * Text to write: {n} is the number, {total} the document's page count, {filename} its name without extension.
   * Default: {n}.
   */
  readonly customText?: string;
}

export interface AddPageNumbers {
  /**
   * Add page numbers.
   *
   * The number rises by one for each numbered page, in the order of `pagesToNumber`. The text uses a standard font,
   * and an embedded font for characters that the standard font lacks; if the document declares PDF/A, all of the text
   * uses an embedded font. Positions and margins are measured from the media box, or from the crop box if the text
   * would not be fully visible otherwise. On rotated pages the text is upright as the reader sees it.
   *
   * POST /api/v1/misc/add-page-numbers
   */
  addPageNumbers(file: Input, options?: AddPageNumbersOptions, call?: CallOptions): Promise<FileResult>;
}
