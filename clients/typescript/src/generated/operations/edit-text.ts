// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface EditTextOptions {
  /** JSON list of {find, replace}, or one such object; an empty or missing replace deletes the match. */
  readonly edits: string;
  /** Match whole words only: no letter A to Z, digit or underscore on either side. Default: false. */
  readonly wholeWordSearch?: boolean;
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface EditText {
  /**
   * Find and replace text.
   *
   * Text is matched exactly, including case, in the text of each page and its form XObjects: a match may span several
   * pieces of text, and a gap or a line end counts as a space. Edits run in order, each on the result of those
   * before; finding nothing is not an error. The new text uses the font of the text that it replaces if that has the
   * characters, otherwise an embedded font. The rest of the line moves along; other lines stay in place. The old text
   * is removed from the file. Text in annotations, form fields and images is not searched. `X-Tool-Report` holds
   * `replaced`.
   *
   * POST /api/v1/general/edit-text
   */
  editText(file: Input, options: EditTextOptions, call?: CallOptions): Promise<FileResult>;
}
