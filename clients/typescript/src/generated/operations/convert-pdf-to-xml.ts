// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToXml {
  /**
   * Convert a PDF to XML.
   *
   * The XML is a flat OpenDocument text (OpenDocument 1.3, part 3) as LibreOffice writes it when it opens the PDF as
   * a text document: pages one after another, lines of text in positioned frames with their fonts, images as base64.
   * Headings, lists, tables and links are not marked. Pages with more than 2,500 lines and shapes keep their text and
   * images only; a warning names them.
   *
   * POST /api/v1/convert/pdf/xml
   */
  convertPdfToXml(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<FileResult>;
}
