// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ValidateInvoiceOptions {
  /** Format of the report. Default: json. */
  readonly output?: 'json' | 'html' | 'pdf' | 'svrl';
  /** Language of the report; JSON has both. Default: en. */
  readonly language?: 'en' | 'de';
  /** Apply the rules of this profile, whatever the invoice claims to be. */
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
  /** Apply the rules that were in force on this day (YYYY-MM-DD); default: those of today. */
  readonly day?: string;
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

export interface ValidateInvoice {
  /**
   * Check an electronic invoice against EN 16931 and XRechnung.
   *
   * Accepts a PDF with an embedded invoice or the XML itself. It checks the XML, its schema (CII D16B, UBL 2.1), code
   * lists, the rules of EN 16931, and those of the profile that the invoice claims (Factur-X 1.0.8, or XRechnung 3.0
   * with its extension and CVD). `valid` is false if a rule of severity `fatal` fails.
   *
   * In a PDF it also checks the file around the XML (rules `PDF-…`): PDF/A-3 (with veraPDF, if it is installed), the
   * name of the attachment, its relationship, and the XMP metadata; and whether the pages show the values of the XML
   * (`PAGE-…`). Number, date, totals and IBAN are searched for in the notations of several countries. A value that is
   * missing on the pages is a warning with what they show instead. Scans without text are not compared.
   *
   * Each violation has the rule, the business terms, the place in the XML (XPath and line), the value found, and a
   * sentence in English and German. Where the published tests of EN 16931 accept more than its text does, the verdict
   * follows the tests, and the stricter reading is reported as `information` with `-strict` after the name of the
   * rule. A rule that is broken in more than 100 places lists 100.
   *
   * Not covered: the rules of the Peppol network and national rules of other countries. Of ZUGFeRD 1.0 only the sums
   * are checked. FatturaPA and Order-X are rejected.
   *
   * POST /api/v1/invoice/validate
   */
  validateInvoice(file: Input, options?: ValidateInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
