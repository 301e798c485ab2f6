// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ClassifyDocument {
  /**
   * Tell what kind of document it is, and store it there.
   *
   * A language model is given the text of the first two and the last two pages, and chooses one of a fixed list of
   * kinds. The entry `Classification` of the information dictionary then holds it as JSON: `id` (`invoice`), `name`
   * (`Invoice`) and `confidence` (0 to 1); `X-Tool-Report` holds the same. A document whose pages have no text comes
   * back as it was, with `labelled` false in the report.
   *
   * POST /api/v1/ai/tools/classify-and-label
   */
  classifyDocument(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
