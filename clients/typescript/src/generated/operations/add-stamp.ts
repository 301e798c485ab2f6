// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddStampOptions {
  /** Whether to stamp the text or the image in stampImage; case does not matter. */
  readonly stampType: 'text' | 'image';
  /**
   * Text of the stamp, with placeholders. A line break, or the two characters \n, starts a new line. Default: Quire.
   */
  readonly stampText?: string;
  /** Alphabet of the text; its font is preferred for every character. Default: roman. */
  readonly alphabet?: 'roman' | 'arabic' | 'japanese' | 'korean' | 'chinese' | 'thai';
  /** Font size, or height of the image, in points. More than 0 to 14400 pt. Default: 40. */
  readonly fontSize?: number;
  /** Angle in degrees, counter-clockwise. Default: 0. */
  readonly rotation?: number;
  /** From 0.0 (invisible) to 1.0 (opaque). From 0 to 1. Default: 0.5. */
  readonly opacity?: number;
  /**
   * Position on the page: 1 to 3 top left, centre and right, 4 to 6 middle, 7 to 9 bottom. Whole number from 1 to 9.
   * Default: 8.
   */
  readonly position?: number;
  /**
   * Distance in points from the left edge; replaces the position if both overrides are 0 or more. From -1000000 to
   * 1000000 pt. Default: -1.
   */
  readonly overrideX?: number;
  /** Distance in points from the bottom edge; see overrideX. From -1000000 to 1000000 pt. Default: -1. */
  readonly overrideY?: number;
  /**
   * Margin: small, medium, large or x-large, which is 2, 3.5, 5 or 7.5 percent of the average of page width and
   * height. Any other value means medium. Default: medium.
   */
  readonly customMargin?: string;
  /** Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default: #d3d3d3. */
  readonly customColor?: string;
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
  /** Image for an image stamp (.png .jpg .jpeg .gif .bmp). */
  readonly stampImage?: Input;
}

export interface AddStamp {
  /**
   * Stamp text or an image on pages.
   *
   * Placeholders in the text: `@date{pattern}` with Java date letters, `@datetime`, `@date`, `@time`, `@year`,
   * `@month`, `@day`, `@page_number`, `@page_count`, `@total_pages`, `@page`, `@filename_full`, `@filename`,
   * `@author`, `@title`, `@subject`, `@uuid` (different on each page); `@@` is a literal @. Dates are in the server's
   * local time.
   *
   * Positions and margins are measured from the media box, or from the crop box if the stamp would not be fully
   * visible otherwise. On rotated pages the stamp is upright as the reader sees it. Lengths are points, whatever unit
   * the page uses. A rotated text is aligned to its position as a whole; an image is rotated around its lower left
   * corner and kept within the page.
   *
   * POST /api/v1/misc/add-stamp
   */
  addStamp(file: Input, options: AddStampOptions, call?: CallOptions): Promise<FileResult>;
}
