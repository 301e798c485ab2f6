// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface EditTableOfContentsOptions {
  /** JSON list of {title, pageNumber, children}; pages count from 1. */
  readonly bookmarkData: string;
}

export interface EditTableOfContents {
  /**
   * Replace the bookmarks of a PDF.
   *
   * `bookmarkData` has the format that `general/extract-bookmarks` returns. Page numbers are limited to those of the
   * document; `[]` removes all bookmarks.
   *
   * POST /api/v1/general/edit-table-of-contents
   */
  editTableOfContents(file: Input, options: EditTableOfContentsOptions, call?: CallOptions): Promise<FileResult>;
}
