// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddWatermarkOptions {
  /** Whether the watermark is the text or the image in watermarkImage; case does not matter. */
  readonly watermarkType: 'text' | 'image';
  /** Text of the watermark, required for text. The two characters \n start a new line. */
  readonly watermarkText?: string;
  /**
   * Alphabet of the text, which selects the font: roman, arabic, japanese, korean, chinese or thai. Any other value
   * means roman. Default: roman.
   */
  readonly alphabet?: string;
  /** Font size, or height of the image, in points. From 1 to 14400 pt. Default: 30. */
  readonly fontSize?: number;
  /** Rotation of each tile in degrees, counter-clockwise. Default: 0. */
  readonly rotation?: number;
  /** From 0.0 (invisible) to 1.0 (opaque); values outside are limited to that range. From 0 to 1. Default: 0.5. */
  readonly opacity?: number;
  /** Horizontal space between tiles, in points. Whole number from 0 pt. Default: 50. */
  readonly widthSpacer?: number;
  /** Vertical space between tiles, in points. Whole number from 0 pt. Default: 50. */
  readonly heightSpacer?: number;
  /** Text colour in hexadecimal, with or without #; an unreadable value means light grey. Default: #d3d3d3. */
  readonly customColor?: string;
  /** Convert every page of the result to one image; bookmarks, links and attachments stay. Default: false. */
  readonly convertPDFToImage?: boolean;
  /**
   * Image for an image watermark; of an animation the first frame. Images other than JPEG are limited to 50
   * megapixels (.png .jpg .jpeg .gif .bmp).
   */
  readonly watermarkImage?: Input;
}

export interface AddWatermark {
  /**
   * Add a text or image watermark.
   *
   * The watermark is repeated in tiles over every page. Tiles start at the lower left corner of the media box, in the
   * page's own units; page rotation and crop box are ignored. Text stays text and can be searched in all alphabets. A
   * page that is smaller than the image gets no watermark (`unmarked` in `X-Tool-Report` counts such pages); if that
   * applies to all pages, the call is refused.
   *
   * With `convertPDFToImage`, pages are rendered at `system.maxDPI`, or at the highest resolution within the pixel
   * limits. The images show what viewers show of the page; page boxes, bookmarks, links, page labels and attachments
   * stay. A document that declares PDF/A-1 loses that declaration if the watermark is not opaque, because PDF/A-1
   * forbids transparency.
   *
   * POST /api/v1/security/add-watermark
   */
  addWatermark(file: Input, options: AddWatermarkOptions, call?: CallOptions): Promise<FileResult>;
}
