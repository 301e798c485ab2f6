// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractFieldsOptions {
  /**
   * Up to 100 fields as a JSON array: name, type (string, number, date, boolean, currency, list; string when absent),
   * description, pattern (a regular expression that the value matches), required.
   */
  readonly fields: Json;
  /** Asks the language model, if one is set up, for fields that code is not sure of. Default: true. */
  readonly useModel?: boolean;
  /** Recognise the text of pages that have none (scans), the first 100 of them. Default: true. */
  readonly withOcr?: boolean;
  /** Languages of scanned pages, the most important first; by default English, if it is installed. Default: []. */
  readonly languages?: string | readonly (string | number)[];
}

export interface ExtractFields {
  /**
   * Extract typed fields into the report header.
   *
   * The PDF is returned unchanged. `X-Tool-Report` holds `values` by name, `evidence` by name (page, source,
   * confidence), `missing` required fields and `model`; `evidence`, then long values, are left out if the header is
   * too small for them (`cut`). `docparse/extract-fields/json` returns everything.
   *
   * Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, and by
   * typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common names are known
   * in English, German, French and Spanish. Every value has its page, quotation and, if it is at one position, its
   * box (left, top, right, bottom in points of the page as shown, from the upper left corner). Dates are ISO 8601,
   * amounts `{"amount", "currency"}` with ISO 4217.
   *
   * If a language model is set up, it is asked for fields that code is not sure of; its answer is accepted only if
   * its quotation is on that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned
   * pages are read with OCR first unless `withOcr` is false; `ocrPages` says how many there were, `ocrFault` why it
   * failed.
   *
   * POST /api/v1/docparse/extract-fields
   */
  extractFields(file: Input, options: ExtractFieldsOptions, call?: CallOptions): Promise<FileResult>;
}
