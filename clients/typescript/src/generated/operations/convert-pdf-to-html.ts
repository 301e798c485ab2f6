// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToHtml {
  /**
   * Convert a PDF to HTML.
   *
   * The zip contains `<base>.html` and its images. The page has the content of the PDF in reading order: headings,
   * paragraphs, lists, tables with merged cells, images, internal and external links, footnotes, and the bookmarks at
   * the top; each PDF page is a section `page-<n>`. Running headers, footers, page numbers, form fields, comments and
   * exact positions are left out. The page runs no script and loads nothing from elsewhere.
   *
   * POST /api/v1/convert/pdf/html
   */
  convertPdfToHtml(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
