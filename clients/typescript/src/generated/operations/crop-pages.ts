// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CropPagesOptions {
  /** Crop each page to its visible content; x, y, width and height are then ignored. Default: false. */
  readonly autoCrop?: boolean;
  /** Left edge in points; required unless autoCrop is set. From -1000000 to 1000000 pt. */
  readonly x?: number;
  /**
   * Bottom edge in points, measured upwards from the page's origin; required unless autoCrop is set. From -1000000 to
   * 1000000 pt.
   */
  readonly y?: number;
  /** Width in points, above 0; required unless autoCrop is set. More than 0 to 1000000 pt. */
  readonly width?: number;
  /** Height in points, above 0; required unless autoCrop is set. More than 0 to 1000000 pt. */
  readonly height?: number;
  /** Remove the content outside instead of hiding it. Default: true. */
  readonly removeDataOutsideCrop?: boolean;
}

export interface CropPages {
  /**
   * Crop all pages to a rectangle or to their content.
   *
   * The rectangle is in points in each page's own coordinates, before any rotation; it becomes the page's media box
   * and is not moved to 0, 0. `autoCrop` renders each page at 150 dpi and crops it to everything that is not white;
   * blank pages keep their size. With `removeDataOutsideCrop`, text, drawings, images, annotations and form fields
   * that are completely outside are removed from the file, and images that are partly outside lose the pixels there
   * (lossy images are recompressed); drawings that reach inside stay whole. Without it, only the boxes change.
   * Bookmarks, links, form fields, page labels and tags of the remaining content stay.
   *
   * POST /api/v1/general/crop
   */
  cropPages(file: Input, options?: CropPagesOptions, call?: CallOptions): Promise<FileResult>;
}
