// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertHtmlToPdfOptions {
  /** Scale of the printed page. From 0.1 to 2. Default: 1. */
  readonly zoom?: number;
}

export interface ConvertHtmlToPdf {
  /**
   * Convert HTML to PDF.
   *
   * A browser prints the page: `@page`, page breaks and print styles apply; otherwise the paper is A4 with margins of
   * 75 CSS pixels. The PDF is tagged and has bookmarks for headings; links work. From a zip, the page named `index`
   * closest to the root is printed, otherwise the first page closest to the root; images, style sheets and fonts in
   * the zip are found by relative addresses. No script runs and nothing is loaded from elsewhere. The page is cleaned
   * first: scripts, forms, frames, objects and references to other servers are removed, styles stay.
   * `system.disableSanitize` skips the cleaning, so forms are shown (but are not fillable). A warning names resources
   * that could not be loaded.
   *
   * POST /api/v1/convert/html/pdf
   */
  convertHtmlToPdf(file: Input, options?: ConvertHtmlToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
