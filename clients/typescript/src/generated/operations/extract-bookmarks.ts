// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `extractBookmarks`. */
export type ExtractBookmarksAnswer = readonly {
  readonly title: string;
  readonly pageNumber: number;
  /** Child bookmarks */
  readonly children: readonly unknown[];
}[];

export interface ExtractBookmarks {
  /**
   * Get the bookmarks of a PDF as JSON.
   *
   * Named destinations and GoTo actions are resolved to page numbers, which count from 1; a bookmark without a target
   * page gets 1. `general/edit-table-of-contents` accepts the same format.
   *
   * POST /api/v1/general/extract-bookmarks
   */
  extractBookmarks(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ExtractBookmarksAnswer>;
}
