// Generated from the declarations of the operations by `npm run docs`.

import type { Input, Json } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractFieldsAsJsonOptions {
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

/** Answer of `extractFieldsAsJson`. */
export type ExtractFieldsAsJsonAnswer = {
  /** Pages of the document */
  readonly pages: number;
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly found: boolean;
    /** Value of the requested type; null if nothing was found */
    readonly value: unknown;
    readonly confidence: number;
    readonly source?: 'form' | 'label' | 'table' | 'pattern' | 'type' | 'model';
    readonly page?: number;
    readonly quotation?: string;
    readonly box?: readonly number[];
  }[];
  /** Required fields that were not found */
  readonly missing: readonly string[];
  /** A language model was used */
  readonly model: boolean;
  /** Error code if the model failed */
  readonly modelFault?: string;
  /** Scanned pages whose text was recognised */
  readonly ocrPages?: number;
  readonly ocrEngine?: string;
  readonly ocrLanguages?: string;
  /** Code of the error with which recognition failed; the pages that have text were read even so */
  readonly ocrFault?: string;
  /** The document has more pages than were read */
  readonly truncated?: boolean;
};

export interface ExtractFieldsAsJson {
  /**
   * Extract typed fields of a PDF as JSON.
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
   * POST /api/v1/docparse/extract-fields/json
   */
  extractFieldsAsJson(
    file: Input,
    options: ExtractFieldsAsJsonOptions,
    call?: CallOptions,
  ): Promise<ExtractFieldsAsJsonAnswer>;
}
