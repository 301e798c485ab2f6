// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `listComments`. */
export type ListCommentsAnswer = readonly {
  /** Page, counted from 0 */
  readonly pageIndex: number;
  /** `/Subtype` of the annotation */
  readonly type: string;
  readonly text: string;
  readonly author: string | null;
  readonly subject: string | null;
  /** ISO 8601 */
  readonly creationDate: string | null;
  /** ISO 8601 */
  readonly modificationDate: string | null;
  /** Points */
  readonly x: number;
  /** Points */
  readonly y: number;
  /** Points */
  readonly width: number;
  /** Points */
  readonly height: number;
  /** Index in this list of the comment that it answers */
  readonly replyTo: number | null;
}[];

export interface ListComments {
  /**
   * List the comments of a PDF.
   *
   * Lists sticky notes, highlights, drawings, stamps and other comments of readers (markup annotations) in the order
   * of the pages; links, form fields and pop-ups are not included. `pageIndex` counts from 0, and the rectangle is in
   * points from the lower left corner, as in `misc/add-comments`. `replyTo` is the index in the list of the comment
   * that this one answers. Dates are ISO 8601; unknown values are null. At most 10,000 comments are returned;
   * `X-Tool-Report` has `cut` if there are more.
   *
   * POST /api/v1/misc/list-comments
   */
  listComments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListCommentsAnswer>;
}
