// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ShowInvoiceOptions {
  /** A page for browsers, or a PDF/A. Default: html. */
  readonly output?: 'html' | 'pdf';
  /** Language of labels, dates and amounts; the texts of the invoice stay as they are. Default: en. */
  readonly language?: 'de' | 'en' | 'fr';
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

export interface ShowInvoice {
  /**
   * Show an electronic invoice as a readable page.
   *
   * Accepts a PDF with an embedded invoice or the XML itself: Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and
   * other invoices in CII and UBL. The page is made from the XML alone, never from what a PDF shows.
   *
   * Every business term of the invoice is shown: parties, references, lines with sub lines, allowances, VAT, totals,
   * payment, names and sizes of attachments. Nothing is computed, and nothing is added but labels and the meaning of
   * codes. Amounts keep their digits. What the model of EN 16931 has no place for is listed at the end with its path
   * in the XML.
   *
   * `html` is one file without scripts, links or anything from elsewhere. `pdf` is PDF/A-3a: tagged, with all fonts
   * embedded; characters that no built-in font has become question marks, which is reported as a warning.
   *
   * POST /api/v1/invoice/render
   */
  showInvoice(file: Input, options?: ShowInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
