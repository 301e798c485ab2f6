// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddImageOptions {
  /** Distance in points from the left edge of the page to the image. From -1000000 to 1000000 pt. Default: 0. */
  readonly x?: number;
  /**
   * Distance in points from the bottom of the page to the image's lower edge. From -1000000 to 1000000 pt. Default:
   * 0.
   */
  readonly y?: number;
  /** Width of the image in points; its height follows. By default a pixel is a point. More than 0 to 14400 pt. */
  readonly width?: number;
  /** Page of the image, from 1; ignored with everyPage. Whole number from 1. Default: 1. */
  readonly pageNumber?: number;
  /** Add the image to every page instead of only one. Default: false. */
  readonly everyPage?: boolean;
  /** The image to add (.png .jpg .jpeg .gif .bmp .tiff .tif .webp .svg). */
  readonly imageFile: Input;
}

export interface AddImage {
  /**
   * Add an image or a signature to a page or every page.
   *
   * Without `width` the image keeps its natural size: one pixel is one point. Of a TIFF, only the first page is used.
   * An SVG is drawn as vectors: a pixel is a point, and units of length are kept. Scripts in an SVG are dropped; an
   * SVG that refers to other files is refused. On rotated pages the image is upright as the reader sees it.
   *
   * POST /api/v1/misc/add-image
   */
  addImage(file: Input, options: AddImageOptions, call?: CallOptions): Promise<FileResult>;
}
