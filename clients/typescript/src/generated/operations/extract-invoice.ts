// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ExtractInvoiceOptions {
  /** The terms as JSON, the XML as it is, or the XML and all attachments in a zip. Default: json. */
  readonly output?: 'json' | 'xml' | 'zip';
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

export interface ExtractInvoice {
  /**
   * Extract the data of an electronic invoice.
   *
   * Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and
   * other invoices in CII and UBL.
   *
   * `json`: the invoice by the business terms of EN 16931, the same for every syntax. Amounts, quantities and rates
   * are texts as they were written, never floats; dates are `YYYY-MM-DD` where they exist. `terms` lists every value
   * with its number (BT-1), name and path; `unread` lists content of the XML that EN 16931 has no term for, with its
   * place. Supporting documents are in `invoice.supportingDocuments` as base64.
   *
   * `xml`: the XML as it is in the file, byte for byte. `zip`: the XML, the files that are attached to the invoice
   * (BT-125), and the other files that a PDF carries. An attachment that is too large (50 MB, or 200 MB in total) or
   * damaged is left out with a warning.
   *
   * POST /api/v1/invoice/extract
   */
  extractInvoice(file: Input, options?: ExtractInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
