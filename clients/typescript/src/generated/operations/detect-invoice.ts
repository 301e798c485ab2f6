// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface DetectInvoiceOptions {
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
}

/** Answer of `detectInvoice`. */
export type DetectInvoiceAnswer = {
  /** There is an invoice */
  readonly found: boolean;
  /** Standard: Factur-X, ZUGFeRD 2, ZUGFeRD 1, XRechnung, Peppol BIS Billing, EN 16931, CII, UBL, Order-X, FatturaPA */
  readonly standard?: string | null;
  /** Version of the standard */
  readonly version?: string | null;
  /** Profile, as parameters of other tools have it */
  readonly profile?: string | null;
  /** Profile for people */
  readonly profileTitle?: string | null;
  /** Specification identifier (BT-24) */
  readonly specification?: string | null;
  /** Kind of XML: cii, ubl-invoice, ubl-creditnote, zugferd1, or another document */
  readonly syntax?: string | null;
  /** Why the XML cannot be read; null if it can */
  readonly problem?: string | null;
  /** The embedded file; null for an XML file */
  readonly attachment?: {
    /** File name */
    readonly name: string;
    /** AFRelationship */
    readonly relationship?: string | null;
    /** Declared media type */
    readonly mediaType?: string | null;
    /** Declared size in bytes */
    readonly size?: number | null;
    /** Modification date, ISO 8601 */
    readonly modified?: string | null;
    /** It is in the list of embedded files */
    readonly inNameTree: boolean;
    /** It is in the AF array of the catalog */
    readonly associated: boolean;
  } | null;
  /** All invoices; the first one counts */
  readonly invoices: readonly {
    /**
     * Standard: Factur-X, ZUGFeRD 2, ZUGFeRD 1, XRechnung, Peppol BIS Billing, EN 16931, CII, UBL, Order-X, FatturaPA
     */
    readonly standard?: string | null;
    /** Version of the standard */
    readonly version?: string | null;
    /** Profile, as parameters of other tools have it */
    readonly profile?: string | null;
    /** Profile for people */
    readonly profileTitle?: string | null;
    /** Specification identifier (BT-24) */
    readonly specification?: string | null;
    /** Kind of XML: cii, ubl-invoice, ubl-creditnote, zugferd1, or another document */
    readonly syntax?: string | null;
    /** Why the XML cannot be read; null if it can */
    readonly problem?: string | null;
    /** The embedded file; null for an XML file */
    readonly attachment?: {
      /** File name */
      readonly name: string;
      /** AFRelationship */
      readonly relationship?: string | null;
      /** Declared media type */
      readonly mediaType?: string | null;
      /** Declared size in bytes */
      readonly size?: number | null;
      /** Modification date, ISO 8601 */
      readonly modified?: string | null;
      /** It is in the list of embedded files */
      readonly inNameTree: boolean;
      /** It is in the AF array of the catalog */
      readonly associated: boolean;
    } | null;
  }[];
  /** Other embedded files */
  readonly otherAttachments: readonly {
    /** File name */
    readonly name: string;
    /** AFRelationship */
    readonly relationship?: string | null;
    /** Declared media type */
    readonly mediaType?: string | null;
    /** Declared size in bytes */
    readonly size?: number | null;
    /** Modification date, ISO 8601 */
    readonly modified?: string | null;
    /** It is in the list of embedded files */
    readonly inNameTree: boolean;
    /** It is in the AF array of the catalog */
    readonly associated: boolean;
  }[];
  /** What the XMP metadata of a PDF say about its invoice */
  readonly xmp: readonly {
    /** Namespace of the properties */
    readonly namespace: string;
    /** DocumentType */
    readonly documentType?: string;
    /** DocumentFileName */
    readonly fileName?: string;
    /** Version */
    readonly version?: string;
    /** ConformanceLevel */
    readonly level?: string;
    /** PDF/A extension schema present */
    readonly schemaDeclared: boolean;
  }[];
  /** PDF/A that the file claims */
  readonly pdfa?: string | null;
  /** Comparisons of the XML with the PDF around it; empty for XML files */
  readonly agreement: readonly {
    /** What is compared */
    readonly check: string;
    /** It is as it has to be */
    readonly ok: boolean;
    /** Value in the PDF */
    readonly found?: string | null;
    /** What the XML demands */
    readonly expected: string;
    /** What is wrong, in English */
    readonly message?: string | null;
  }[];
  /** All comparisons are ok */
  readonly agrees: boolean;
};

export interface DetectInvoice {
  /**
   * Detect an electronic invoice.
   *
   * Accepts a PDF or an XML file. `found` is true for Factur-X, ZUGFeRD 1 and 2, XRechnung, Peppol BIS, and other
   * invoices in CII and UBL. Order-X and FatturaPA are named in `standard`, and `found` is false. What is in the
   * invoice is not checked; `invoice/validate` does that.
   *
   * The XML of a PDF is found by its name (`factur-x.xml`, `xrechnung.xml`, `zugferd-invoice.xml`,
   * `ZUGFeRD-invoice.xml`), or else by its root element. The XML decides standard and profile. `agreement` lists what
   * the PDF says about it and whether that fits: name, relationship, XMP metadata, PDF/A-3 claim. With two invoices
   * in one PDF both are in `invoices`, and the first one counts.
   *
   * POST /api/v1/invoice/detect
   */
  detectInvoice(file: Input, options?: DetectInvoiceOptions, call?: CallOptions): Promise<DetectInvoiceAnswer>;
}
