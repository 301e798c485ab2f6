// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ScalePagesOptions {
  /** Paper size of all pages; KEEP uses the size of the first page. */
  readonly pageSize: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL' | 'KEEP';
  /**
   * LANDSCAPE, in upper or lower case, uses the paper in landscape; any other value means PORTRAIT. Ignored with
   * KEEP. Default: PORTRAIT.
   */
  readonly orientation?: string;
  /**
   * Factor in addition to fitting the page to the paper: 1 fits exactly, less leaves a margin, more is cut off at the
   * edges, 0 shows nothing. From 0 to 10000. Default: 1.
   */
  readonly scaleFactor?: number;
}

export interface ScalePages {
  /**
   * Scale pages to a paper size.
   *
   * Each page is used as the reader sees it: cropped, rotated upright, and in points whatever its unit. It is scaled
   * to fit the paper, times `scaleFactor`, and centred; the results have neither a rotation nor a crop box. With a
   * factor above 1, everything outside the paper is cut off. Content that a crop box hid stays hidden. `KEEP` is the
   * size of the first page as the reader sees it. Links, form fields, comments, bookmarks, page labels and tags stay,
   * moved with the pages.
   *
   * POST /api/v1/general/scale-pages
   */
  scalePages(file: Input, options: ScalePagesOptions, call?: CallOptions): Promise<FileResult>;
}
