// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SuggestSchemaOptions {
  /** Most fields that are named. Whole number from 1 to 20. Default: 10. */
  readonly maxFields?: number;
  /** Lets the language model name and describe them, where one is set up. Default: true. */
  readonly useModel?: boolean;
  /** Recognise the text of pages that have none (scans), the first 100 of them. Default: true. */
  readonly withOcr?: boolean;
  /** Languages of scanned pages, the most important first; by default English, if it is installed. Default: []. */
  readonly languages?: string | readonly (string | number)[];
}

/** Answer of `suggestSchema`. */
export type SuggestSchemaAnswer = {
  readonly fields: readonly {
    readonly name: string;
    readonly type: 'string' | 'number' | 'date' | 'boolean' | 'currency' | 'list';
    readonly label: string;
    readonly description?: string;
    readonly example?: string;
    readonly source: 'form' | 'label' | 'table' | 'model';
    readonly page?: number;
    readonly box?: readonly number[];
  }[];
  /** A language model was asked */
  readonly model: boolean;
  /** Code of the error with which it failed */
  readonly modelFault?: string;
  /** Scanned pages whose text was recognised */
  readonly ocrPages?: number;
  readonly ocrEngine?: string;
  readonly ocrLanguages?: string;
  /** Code of the error with which recognition failed; the pages that have text were read even so */
  readonly ocrFault?: string;
};

export interface SuggestSchema {
  /**
   * Suggest fields worth extracting from a PDF.
   *
   * Form fields, labels with values and table headers become fields with name, type and an example, ready for
   * `docparse/extract-fields`. A language model, if one is set up, names and describes them and may add others whose
   * labels are in the document. Scanned pages are read with OCR first unless `withOcr` is false.
   *
   * POST /api/v1/docparse/suggest-schema
   */
  suggestSchema(file: Input, options?: SuggestSchemaOptions, call?: CallOptions): Promise<SuggestSchemaAnswer>;
}
