// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface WriteCommentsOptions {
  /** Subject of the comments. */
  readonly prompt: string;
}

export interface WriteComments {
  /**
   * Add sticky notes that a language model writes.
   *
   * The model is given the text of the document and `prompt`, and answers notes with the words that they are about. A
   * note stands before the line in which these words begin, or in the margin of its page when they are nowhere.
   * `X-Tool-Report` holds `annotationsApplied`, `instructionsReceived` (notes that the model wrote) and `rationale`.
   * Text beyond what one question may hold is asked about in portions, twenty at most.
   *
   * POST /api/v1/ai/tools/pdf-comment-agent
   */
  writeComments(file: Input, options: WriteCommentsOptions, call?: CallOptions): Promise<FileResult>;
}
