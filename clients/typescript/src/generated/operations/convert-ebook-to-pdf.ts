// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertEbookToPdfOptions {
  /** Prints a table of contents with page numbers at the beginning. Default: false. */
  readonly includeTableOfContents?: boolean;
  /** Prints page numbers at the bottom of pages. Default: false. */
  readonly includePageNumbers?: boolean;
  /** Makes the file smaller for small screens. Default: false. */
  readonly optimizeForEbook?: boolean;
}

export interface ConvertEbookToPdf {
  /**
   * Convert an e-book to PDF.
   *
   * EPUB, MOBI, AZW3, FB2 and plain text are printed on A4, or on the page size of a fixed-layout book; DOCX is
   * converted by LibreOffice. Links between chapters work, the table of contents becomes bookmarks, the cover comes
   * first. All used fonts are always embedded, so `embedAllFonts` has no effect. `optimizeForEbook` scales images
   * down to 150 dpi and compresses the file; it needs no other program. DRM-protected books are refused. For DOCX,
   * `includeTableOfContents` and `includePageNumbers` have no effect.
   *
   * POST /api/v1/convert/ebook/pdf
   */
  convertEbookToPdf(file: Input, options?: ConvertEbookToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
