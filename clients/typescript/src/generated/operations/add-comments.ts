// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddCommentsOptions {
  /** JSON array of notes. */
  readonly comments: Json;
}

export interface AddComments {
  /**
   * Add sticky notes to pages.
   *
   * `comments` is a JSON array of objects with `pageIndex` (from 0), `x`, `y`, `width`, `height` (the note's
   * rectangle in points, origin at the bottom left), `text`, and optionally `author`, `subject` and `anchorText`. A
   * note with `anchorText` is placed at the first line of the page that contains the letters and digits of that text,
   * ignoring case; if no line does, the coordinates are used.
   *
   * A note is skipped if its text is blank or longer than 100000 characters, if it has no width or height (unless it
   * is anchored), or if the page does not exist. `X-Tool-Report` holds `added` and `skipped`.
   *
   * POST /api/v1/misc/add-comments
   */
  addComments(file: Input, options: AddCommentsOptions, call?: CallOptions): Promise<FileResult>;
}
