// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ShowJavascript {
  /**
   * Extract the JavaScript of a PDF.
   *
   * Returns the scripts of the document's name tree first, in the order in which they run, then the scripts of
   * actions, each named after its trigger: opening, closing, saving and printing the document, its pages, form
   * fields, annotations and bookmarks. A comment line with the names of the file and the script precedes each script.
   * If there are no scripts, the result says so in one sentence.
   *
   * POST /api/v1/misc/show-javascript
   */
  showJavascript(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
