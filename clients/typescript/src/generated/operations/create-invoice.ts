// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface CreateInvoiceOptions {
  /** XML in CII or UBL, or a PDF with the XML (CII) embedded. Default: cii. */
  readonly format?: 'cii' | 'ubl' | 'pdf';
  /** Profile. Default: the one that the invoice names in BT-24, or EN 16931. */
  readonly profile?: 
    | 'minimum'
    | 'basic-wl'
    | 'basic'
    | 'en16931'
    | 'extended'
    | 'xrechnung'
    | 'xrechnung-extension'
    | 'xrechnung-cvd'
    | 'peppol';
  /** Language of the page that is made for the format `pdf`. Default: en. */
  readonly language?: 'de' | 'en' | 'fr';
  /** A PDF that shows the invoice, for the format `pdf`; the default is a page made from the data (.pdf). */
  readonly page?: Input;
}

export interface CreateInvoice {
  /**
   * Create an electronic invoice from JSON.
   *
   * `fileInput` is JSON on the semantic model of EN 16931: the members of the schema `Invoice`, as `invoice` in the
   * answer of `invoice/extract`. All values are texts, amounts too (`"19.00"`), so that no digit is lost.
   *
   * What follows from the rest may be left out and is computed: net prices, net amounts of lines, amounts of
   * allowances and charges with base and percentage, the VAT breakdown, and all totals, rounded half up to two
   * places. So are the rate 0 and the exemption code of categories that imply them. A value that is sent and
   * contradicts the computed one is refused with its JSON pointer, what was sent and what was computed. Required
   * terms that are missing are named.
   *
   * The profile sets the specification identifier (BT-24). The XML is then checked by the rules of its profile, and
   * refused with all violations if it breaks a fatal one. What the profile has no place for is left out and reported
   * as a warning.
   *
   * `pdf` is a hybrid invoice, PDF/A-3 with the XML embedded. Its page is made from the invoice, or is the PDF in
   * `page`, which becomes PDF/A-3 if it is not.
   *
   * POST /api/v1/invoice/create
   */
  createInvoice(file: Input, options?: CreateInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
