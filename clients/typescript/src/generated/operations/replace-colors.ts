// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ReplaceColorsOptions {
  /** How to change the colours. Default: HIGH_CONTRAST_COLOR. */
  readonly replaceAndInvertOption?: 
    | 'HIGH_CONTRAST_COLOR'
    | 'CUSTOM_COLOR'
    | 'FULL_INVERSION'
    | 'COLOR_SPACE_CONVERSION';
  /** The colours for HIGH_CONTRAST_COLOR. Default: WHITE_TEXT_ON_BLACK. */
  readonly highContrastColorCombination?: 
    | 'WHITE_TEXT_ON_BLACK'
    | 'BLACK_TEXT_ON_WHITE'
    | 'YELLOW_TEXT_ON_BLACK'
    | 'GREEN_TEXT_ON_BLACK';
  /** Background colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB. */
  readonly backGroundColor?: string;
  /** Text colour for CUSTOM_COLOR: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB. */
  readonly textColor?: string;
}

export interface ReplaceColors {
  /**
   * Invert or replace colours, or convert to CMYK.
   *
   * `HIGH_CONTRAST_COLOR` and `CUSTOM_COLOR` show all text in one colour on a background of another; text stays text.
   * Painted areas on which the text would be unreadable take the background colour, and lines that would become
   * invisible take the text colour (contrast below 3:1). Images stay as they are.
   *
   * `FULL_INVERSION` gives every page the complement of its colours. Pages are not converted to images, so text can
   * still be selected and nothing loses resolution.
   *
   * `COLOR_SPACE_CONVERSION` converts pages, form fields and notes to DeviceCMYK with Ghostscript, and returns 503 if
   * that is not installed. Bookmarks, links, forms, page labels, attachments and metadata stay; tags and layers do
   * not.
   *
   * POST /api/v1/misc/replace-invert-pdf
   */
  replaceColors(file: Input, options?: ReplaceColorsOptions, call?: CallOptions): Promise<FileResult>;
}
