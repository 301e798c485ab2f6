// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertPdfToXlsxOptions {
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface ConvertPdfToXlsx {
  /**
   * Extract tables to Excel.
   *
   * Finds the same tables as convert/pdf/csv on the selected pages (default: all). Each table becomes a sheet named
   * `Page 3`, or `Page 3 Table 2` if the page has several. All cells are text, so nothing is treated as a formula or
   * a date; merged cells stay merged, bold cells bold. No table gives 204. A cell holds at most 32767 characters.
   *
   * POST /api/v1/convert/pdf/xlsx
   */
  convertPdfToXlsx(file: Input, options?: ConvertPdfToXlsxOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
