// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface FilterInvoiceOptions {
  /** Whether the invoice must pass the checks. Default: any. */
  readonly verdict?: 'any' | 'valid' | 'invalid';
  /** Profile that the invoice must name. */
  readonly profile?: 
    | 'minimum'
    | 'basic-wl'
    | 'basic'
    | 'en16931'
    | 'extended'
    | 'xrechnung'
    | 'xrechnung-extension'
    | 'xrechnung-cvd'
    | 'peppol'
    | 'zugferd1-basic'
    | 'zugferd1-comfort'
    | 'zugferd1-extended';
  /** Part of the seller's name, or the whole VAT identifier; case does not matter. */
  readonly seller?: string;
  /** The whole invoice number; case does not matter. */
  readonly number?: string;
  /** Currency of the invoice, three letters (ISO 4217). */
  readonly currency?: string;
  /** Least total with VAT, a decimal number. */
  readonly minAmount?: string;
  /** Largest total with VAT, a decimal number. */
  readonly maxAmount?: string;
  /** First issue date, YYYY-MM-DD. */
  readonly from?: string;
  /** Last issue date, YYYY-MM-DD. */
  readonly to?: string;
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

export interface FilterInvoice {
  /**
   * Keep electronic invoices by what is in them.
   *
   * Keeps a PDF that carries an electronic invoice, and an XML file that is one, if all conditions hold; conditions
   * that are left out always do. Every other file leaves the pipeline (204 for a direct call).
   *
   * `verdict` applies the rules of `invoice/validate`, without veraPDF. An invoice whose XML cannot be read is
   * `invalid`, and no condition about its content holds. Amounts are compared exactly, with the total with VAT
   * (BT-112) in the currency of the invoice: name the `currency` where there may be several.
   *
   * POST /api/v1/filter/filter-invoice
   */
  filterInvoice(file: Input, options?: FilterInvoiceOptions, call?: CallOptions): Promise<FileResult | undefined>;
}
