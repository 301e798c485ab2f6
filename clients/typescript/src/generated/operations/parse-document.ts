// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ParseDocumentOptions {
  /**
   * How the layout is read: basic uses positions and tags; advanced needs a layout model, which this server does not
   * have (503); auto uses what is available. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /** Languages for withOcr, the most important first; by default English, if it is installed. Default: []. */
  readonly languages?: string | readonly (string | number)[];
  /** Blocks, pages and Markdown as JSON, or the Markdown alone. Default: json. */
  readonly outputFormat?: 'json' | 'markdown';
}

export interface ParseDocument {
  /**
   * Parse layout blocks, tables and Markdown.
   *
   * `json`: `blocks` in reading order, each with `id`, `type` (heading, paragraph, list, table, figure, caption,
   * header, footer, footnote, code, other), `page`, `pageEnd` where it goes on over page breaks, `bbox` and `text`;
   * headings have `level`, lists `ordered` and `items` with `level` and `marker`, tables `columns`, `headerRows`,
   * `rows` of texts and `cells` with their spans, figures `alt` and `image`, footnotes `mark`, text from the right
   * `direction`. Then `pages` with their sizes and columns, and the whole as `markdown`.
   *
   * `bbox` is left, top, right and bottom in points (1/72 inch) of the page as it is shown, from its upper left
   * corner, on the page where the block begins.
   *
   * Columns are read one after another; headings come from tags, bookmarks, size and weight; running headers, footers
   * and page numbers are header and footer blocks; tables are found with and without lines. `markdown` returns the
   * Markdown alone.
   *
   * Scanned pages have no text unless `withOcr` is sent; `X-Tool-Report` says what was recognised. No language model
   * is used.
   *
   * POST /api/v1/docparse/parse-document
   */
  parseDocument(file: Input, options?: ParseDocumentOptions, call?: CallOptions): Promise<FileResult>;
}
