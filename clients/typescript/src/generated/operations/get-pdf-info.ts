// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface GetPdfInfo {
  /**
   * Get detailed information about a PDF.
   *
   * The file is not changed. The result has the members `Metadata`, `BasicInfo`, `DocumentInfo`, `Compliancy`,
   * `Encryption`, `Permissions`, `FormFields`, `Other`, `PerPageInfo` (by `Page 1`, `Page 2` …) and `SummaryData`.
   *
   * Fonts, images and XObjects of a page are those of its resources and of the forms and patterns in them, each
   * listed once, whether they are drawn or not; inline images are not included. Words, lines (`ParagraphCount`) and
   * characters are those of the page content, without annotations. `Content` in the structure tree is the text of an
   * element's own marked content. Sizes take `UserUnit` into account; boxes do not.
   *
   * A document that declares PDF/A, PDF/UA or WTPDF in its XMP metadata is checked by veraPDF; without veraPDF those
   * keys of `Compliancy` are absent. A section that cannot be read is empty; the other sections are complete.
   * `X-Tool-Report` lists such sections: `unread`, and `cut` for a structure tree that is returned only in part;
   * `unchecked` gives the reason why standards were not checked.
   *
   * POST /api/v1/security/get-info-on-pdf
   */
  getPdfInfo(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
