// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToMarkdown {
  /**
   * Convert a PDF to Markdown.
   *
   * One UTF-8 file: CommonMark with pipe tables and footnotes. Headings come from the tags, the bookmarks, or the
   * size and weight of the text. Nested lists, tables with and without lines (also across page breaks; a merged cell
   * has its text in its first position), code, emphasis and web links are kept. Columns are read one after another
   * and hyphenated words are joined. Running headers and page numbers are left out. An image is replaced by a line
   * with its size, resolution, format and colour. Internal links become text; underlining, colours and sizes are
   * dropped. There is no OCR: a document without text comes with a warning.
   *
   * POST /api/v1/convert/pdf/markdown
   */
  convertPdfToMarkdown(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
