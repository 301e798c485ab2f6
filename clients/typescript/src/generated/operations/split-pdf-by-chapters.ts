// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SplitPdfByChaptersOptions {
  /** Copy title, author and other metadata of the document into each part. Default: false. */
  readonly includeMetadata?: boolean;
  /** Keep every bookmark that starts on the same page as the next one as a separate part. Default: false. */
  readonly allowDuplicates?: boolean;
  /** Depth of the bookmarks that count as chapters; 0 is the top level only. Whole number from 0. Default: 0. */
  readonly bookmarkLevel?: number;
}

export interface SplitPdfByChapters {
  /**
   * Split a PDF at its bookmarks.
   *
   * A part runs from its bookmark to the page before the next one; pages before the first bookmark are in no part.
   * Parts are named after their number from 0, padded with zeros, and their title. Bookmarks that start on the same
   * page as the next one are merged with it, titles included, unless `allowDuplicates` keeps them as separate parts
   * of that one page. A part contains nothing of any other page.
   *
   * POST /api/v1/general/split-pdf-by-chapters
   */
  splitPdfByChapters(file: Input, options?: SplitPdfByChaptersOptions, call?: CallOptions): Promise<FileResult>;
}
