// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToWordOptions {
  /** Format of the result. Default: docx. */
  readonly outputFormat?: 'doc' | 'docx' | 'odt';
}

export interface ConvertPdfToWord {
  /**
   * Convert a PDF to Word.
   *
   * Reflowable text: headings, paragraphs with indents and spacing, numbered lists, tables with merged cells, images,
   * internal and external links, footnotes, running headers and page numbers, columns, page sizes. Not kept: form
   * fields, comments, layers, drawings other than as images, exact positions. `docx` needs no program; `doc` and
   * `odt` are converted from it by LibreOffice.
   *
   * POST /api/v1/convert/pdf/word
   */
  convertPdfToWord(file: Input, options?: ConvertPdfToWordOptions, call?: CallOptions): Promise<FileResult>;
}
