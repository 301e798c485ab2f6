// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertMarkdownToPdf {
  /**
   * Convert Markdown to PDF.
   *
   * CommonMark with pipe tables, footnotes, task lists, strikethrough and automatic links; code is highlighted if its
   * language is named. Headings can be linked (`#like-this`) and become bookmarks. HTML in the text is cleaned as in
   * `convert/html/pdf`, whose other rules apply too. YAML metadata at the beginning is not printed; its `title`
   * becomes the document title. From a zip, `index.md` at the root is printed, otherwise the first `.md` or
   * `.markdown` file closest to the root; images in the zip are found by relative addresses, and a warning names
   * resources that could not be loaded.
   *
   * POST /api/v1/convert/markdown/pdf
   */
  convertMarkdownToPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
