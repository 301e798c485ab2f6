// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractTablesOptions {
  /**
   * How the layout is read: basic uses positions and tags; advanced needs a layout model, which this server does not
   * have (503); auto uses what is available. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /** Languages for withOcr, the most important first; by default English, if it is installed. Default: []. */
  readonly languages?: string | readonly (string | number)[];
  /** One CSV file for each table, or all tables as JSON. Default: csv. */
  readonly outputFormat?: 'csv' | 'json';
  /**
   * Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for odd pages), or
   * all. Default: all.
   */
  readonly pageNumbers?: string;
}

export interface ExtractTables {
  /**
   * Extract tables as CSV or JSON.
   *
   * Tables with and without lines on the selected pages (default: all). A table across page breaks is one table, on
   * the page where it starts; repeated header rows are left out.
   *
   * `csv`: commas, CR LF, every field quoted, UTF-8; a merged cell has its text in its first position, lines of a
   * cell are separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is written
   * as printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text.
   *
   * `json`: `tables`, each with `page`, `pageEnd`, `number` on its page, `bbox` (left, top, right, bottom in points
   * of the page as shown, from the upper left corner), `ruled`, `columns`, `headerRows`, `rows` of texts, and `cells`
   * with row, column, rowSpan, colSpan, header and text. No table gives an empty list.
   *
   * On scanned pages, read with `withOcr`, tables are found by the positions of words.
   *
   * POST /api/v1/docparse/extract-tables
   */
  extractTables(file: Input, options?: ExtractTablesOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
