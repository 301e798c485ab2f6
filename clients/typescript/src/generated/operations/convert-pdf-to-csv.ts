// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToCsvOptions {
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface ConvertPdfToCsv {
  /**
   * Extract tables to CSV.
   *
   * Finds tables drawn with lines or filled cells on the selected pages (default: all). The CSV has commas, CR LF,
   * every field quoted, in UTF-8. A merged cell has its text in its first position; lines within a cell are separated
   * by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is written as printed, even
   * if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text. Form field values count as text.
   * Scanned pages need OCR first.
   *
   * POST /api/v1/convert/pdf/csv
   */
  convertPdfToCsv(file: Input, options?: ConvertPdfToCsvOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
