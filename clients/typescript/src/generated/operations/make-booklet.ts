// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface MakeBookletOptions {
  /** Draw a black line around each half, including blank ones. Default: false. */
  readonly addBorder?: boolean;
  /** RIGHT, in upper or lower case, binds at the right edge; any other value means LEFT. Default: LEFT. */
  readonly spineLocation?: string;
  /** Leave free space at the spine. Default: false. */
  readonly addGutter?: boolean;
  /**
   * Width of the gutter in points; a negative value means 0, and half a sheet or more means one point less than half.
   * From 0 pt. Default: 12.
   */
  readonly gutterSize?: number;
  /** Print on both sides; without it flipOnShortEdge is ignored. Default: true. */
  readonly doubleSided?: boolean;
  /** FIRST returns only the front sides, SECOND only the back sides. Default: BOTH. */
  readonly duplexPass?: 'BOTH' | 'FIRST' | 'SECOND';
  /** The printer turns sheets over the short edge: the halves of back sides swap places. Default: false. */
  readonly flipOnShortEdge?: boolean;
}

export interface MakeBooklet {
  /**
   * Arrange pages for printing as a booklet.
   *
   * Produces sheets for a saddle-stitched booklet: print them, fold them together in the middle, and the pages are in
   * order. A sheet has the size of the first page's crop box, in landscape. Blank pages are added at the end until
   * the page count is a multiple of four. The gutter is free space at the spine, half of it on each side. Links,
   * bookmarks, form fields, comments, tags, layers and attachments stay, moved and scaled with their pages; page
   * labels are removed. A result with one pass only contains nothing of the pages in the other pass.
   *
   * POST /api/v1/general/booklet-imposition
   */
  makeBooklet(file: Input, options?: MakeBookletOptions, call?: CallOptions): Promise<FileResult>;
}
