// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToTextOptions {
  /** Format of the result. */
  readonly outputFormat: 'txt' | 'rtf';
}

export interface ConvertPdfToText {
  /**
   * Extract text, or convert a PDF to RTF.
   *
   * `txt`: UTF-8, the lines of each page in reading order, an empty line after each page; right-to-left text in
   * logical order; no OCR (a document without text comes with a warning) and no form field values. `rtf`: reflowable
   * text like `convert/pdf/word`, written by LibreOffice.
   *
   * POST /api/v1/convert/pdf/text
   */
  convertPdfToText(file: Input, options: ConvertPdfToTextOptions, call?: CallOptions): Promise<FileResult>;
}
