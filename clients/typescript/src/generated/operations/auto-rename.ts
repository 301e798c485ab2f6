// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AutoRenameOptions {
  /** Use the first line of text if the largest text is not usable as a name. Default: false. */
  readonly useFirstTextAsFallback?: boolean;
}

export interface AutoRename {
  /**
   * Rename a PDF after its title text.
   *
   * The new name is the text with the largest font size in the first 200 lines of the document; consecutive lines of
   * that size are joined. The characters `/ \ ? % * : | " < >` are removed. If there is no such text, or it has 255
   * characters or more, the file keeps its name, or with `useFirstTextAsFallback` takes the first usable line as its
   * name. The document itself is returned byte for byte.
   *
   * POST /api/v1/misc/auto-rename
   */
  autoRename(file: Input, options?: AutoRenameOptions, call?: CallOptions): Promise<FileResult>;
}
