// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddAttachmentsOptions {
  /** Convert the document to PDF/A-3b first. Default: false. */
  readonly convertToPdfA3b?: boolean;
  /** Files to attach, at most 50 MB each and 200 MB together; repeat the field for several. */
  readonly attachments: Input | readonly Input[];
}

export interface AddAttachments {
  /**
   * Attach files to a PDF.
   *
   * Each file is embedded under its own name, with its size, media type, checksum and description; its dates are set
   * to the current time. An existing attachment with the same name is replaced. If two uploaded files share a name,
   * the second gets a number (`name_1.ext`). Viewers show the list of attachments when they open the document.
   *
   * With `convertToPdfA3b` the document is first converted to PDF/A-3, level B, the way `convert/pdf/pdfa` does it:
   * in place if possible, otherwise with pages that Ghostscript renders again. The result declares PDF/A-3 only if
   * veraPDF confirms it; `X-Tool-Report` has `way`, `checked` and `compliant`. Without veraPDF, Ghostscript's own
   * verdict counts. A document that is already PDF/A-3 is not converted.
   *
   * A document that declares a part of PDF/A which forbids such attachments loses that declaration (`withdrawn`).
   *
   * POST /api/v1/misc/add-attachments
   */
  addAttachments(file: Input, options: AddAttachmentsOptions, call?: CallOptions): Promise<FileResult>;
}
