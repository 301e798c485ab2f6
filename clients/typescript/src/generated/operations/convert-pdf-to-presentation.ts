// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToPresentationOptions {
  /** Format of the result. Default: pptx. */
  readonly outputFormat?: 'ppt' | 'pptx' | 'odp';
}

export interface ConvertPdfToPresentation {
  /**
   * Convert a PDF to PowerPoint.
   *
   * One slide for each page. Text stays at its position in text boxes with its font, size, colour, rotation and
   * links; consecutive lines form one box. Everything else on the page becomes images at 150 dpi behind the text, one
   * for each separate part (at most 40, otherwise one). Slides have the size of the first page, because a
   * presentation has one size; other pages are scaled and centred. A heading that is also a bookmark becomes the
   * slide title. OCR text behind a scan is kept invisible. Not kept: lists, tables and drawings as such, form fields
   * other than as images, tags. `pptx` needs no program; `ppt` and `odp` are converted from it by LibreOffice.
   *
   * POST /api/v1/convert/pdf/presentation
   */
  convertPdfToPresentation(
    file: Input,
    options?: ConvertPdfToPresentationOptions,
    call?: CallOptions,
  ): Promise<FileResult>;
}
