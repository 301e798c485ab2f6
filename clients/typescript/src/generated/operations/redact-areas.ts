// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RedactAreasOptions {
  /**
   * JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y from the top
   * left; may be empty.
   */
  readonly redactions?: string;
  /**
   * Pages to empty and cover completely: numbers, ranges and formulas with n, separated by commas, or all; none if
   * absent.
   */
  readonly pageNumbers?: string;
  /** Colour of whole pages in hexadecimal, with or without #; any other value means black. Default: #000000. */
  readonly pageRedactionColor?: string;
  /** Convert every page of the result to one image. Default: false. */
  readonly convertPDFToImage?: boolean;
}

export interface RedactAreas {
  /**
   * Redact areas or whole pages.
   *
   * Text, annotations, and parts of images and drawings under an area are removed from the file; a box is drawn in
   * their place. A letter is removed if the area touches it. Two engines then read these pages again; if text is left
   * in an area, the call fails with 422 and returns no file. Areas are in points from the top left corner of the crop
   * box, in the page's stored orientation: page rotation and UserUnit are ignored. Areas are limited to the page;
   * areas without a size and areas on pages that do not exist are ignored.
   *
   * POST /api/v1/security/redact
   */
  redactAreas(file: Input, options?: RedactAreasOptions, call?: CallOptions): Promise<FileResult>;
}
