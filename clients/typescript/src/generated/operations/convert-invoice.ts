// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertInvoiceOptions {
  /** Syntax of the result: UN/CEFACT CII D16B or OASIS UBL 2.1. Default: cii. */
  readonly target?: 'cii' | 'ubl';
  /**
   * Profile of the result. Default: that of the invoice; en16931 where the syntax does not have it, and the profile
   * of Factur-X that follows one of ZUGFeRD 1.
   */
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
  /** Refuses a conversion that would lose a value. Default: false. */
  readonly strict?: boolean;
  /** The XML, or JSON with the XML and the list of what is lost. Default: xml. */
  readonly output?: 'xml' | 'json';
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

export interface ConvertInvoice {
  /**
   * Convert an invoice between CII, UBL and profiles.
   *
   * Accepts a PDF with an embedded invoice or the XML itself, and returns XML: CII D16B, or UBL 2.1 (a credit note
   * for the type codes of credit notes). ZUGFeRD 1.0 becomes the profile of Factur-X and ZUGFeRD 2 that follows it.
   *
   * With a profile, its identifier is written (BT-24), and terms that it cannot hold are left out. Each value that is
   * lost, and all content that EN 16931 has no term for, is a warning; `strict=true` refuses the conversion instead.
   * `output=json` returns the XML and the whole list.
   *
   * Values are kept as they are. What a profile demands and the invoice lacks is not added: check the result with
   * `invoice/validate`. Only what the schema of the target demands and the standard does not is derived: the VAT
   * total of UBL from the breakdown, the gross price of CII from net price and discount, a discount of 0 for UBL.
   *
   * POST /api/v1/invoice/convert
   */
  convertInvoice(file: Input, options?: ConvertInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
