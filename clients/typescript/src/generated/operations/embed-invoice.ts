// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface EmbedInvoiceOptions {
  /** The profile that the XML must have; the call is refused if it has another one. */
  readonly profile?: 'minimum' | 'basic-wl' | 'basic' | 'en16931' | 'extended' | 'xrechnung';
  /**
   * Relationship of the XML to the PDF (AFRelationship). Default: Data for MINIMUM and BASIC WL, which allow no
   * other, and Alternative for the rest.
   */
  readonly relationship?: 'Alternative' | 'Source' | 'Data';
  /** What to do with a PDF that already contains an invoice. Default: refuse. */
  readonly existing?: 'refuse' | 'replace';
  /** User or owner password of an encrypted PDF; empty for one that opens without, and for XML. */
  readonly password?: string;
  /** The invoice as XML (CII) (.xml .xsd .xsl). */
  readonly invoice: Input;
  /** Supporting documents to embed as well, such as time sheets; repeat the field for several. */
  readonly supplements?: Input | readonly Input[];
}

export interface EmbedInvoice {
  /**
   * Embed an invoice XML in its PDF.
   *
   * The result is PDF/A-3 with the XML as an associated file, under the name that its profile demands
   * (`factur-x.xml`, `xrechnung.xml`), and XMP metadata that describe it with their extension schema. Everything else
   * in the PDF stays: bookmarks, links, tags, other attachments. What the page shows is not compared here;
   * `invoice/validate` does that.
   *
   * The XML decides the profile by its specification identifier (BT-24): Factur-X MINIMUM, BASIC WL, BASIC, EN 16931
   * and EXTENDED, and XRechnung, in CII. UBL and ZUGFeRD 1 are refused: convert them with `invoice/convert` first.
   * The relationship is `Data` for MINIMUM and BASIC WL, and `Alternative` otherwise unless you choose another.
   *
   * A PDF that is not PDF/A-3 is converted the way `convert/pdf/pdfa` does it. An encrypted one loses its encryption,
   * which PDF/A forbids. The result is checked with veraPDF where that is installed, and a result that breaks a rule
   * is refused (`PDFA_IMPOSSIBLE`). `X-Tool-Report` has `profile`, `attachment`, `relationship`, `way`, `checked`,
   * `replaced`, `supplements`, and how many actions and annotations PDF/A forbids and the conversion removed.
   *
   * POST /api/v1/invoice/embed
   */
  embedInvoice(file: Input, options: EmbedInvoiceOptions, call?: CallOptions): Promise<FileResult>;
}
