// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractAttachments {
  /**
   * Extract the attachments of a PDF.
   *
   * Each file keeps its own name without folders. Names that clash get a number (`name_1.ext`); a file without a name
   * becomes `unknown_attachment_<milliseconds>`. Entries of the zip carry the attachment's modification date, or else
   * its creation date. Files over 50 MB, files beyond 200 MB in total, and files that cannot be unpacked are skipped;
   * `X-Tool-Report` holds `extracted`, `skipped` and `skippedNames`.
   *
   * POST /api/v1/misc/extract-attachments
   */
  extractAttachments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
