// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `verifyPdf`. */
export type VerifyPdfAnswer = readonly {
  readonly standard: string;
  readonly standardName: string;
  readonly validationProfile: string | null;
  readonly validationProfileName: string | null;
  readonly complianceSummary: string;
  readonly declaredPdfa: boolean;
  readonly compliant: boolean;
  readonly totalFailures: number;
  readonly totalWarnings: number;
  readonly failures: readonly {
    readonly ruleId: string | null;
    readonly message: string;
    readonly location: string | null;
    readonly specification: string | null;
    readonly clause: string | null;
    readonly testNumber: string | null;
  }[];
  readonly warnings: readonly {
    readonly ruleId: string | null;
    readonly message: string;
    readonly location: string | null;
    readonly specification: string | null;
    readonly clause: string | null;
    readonly testNumber: string | null;
  }[];
}[];

export interface VerifyPdf {
  /**
   * Check a PDF against PDF/A, PDF/UA and WTPDF.
   *
   * Returns one item for each standard that the XMP metadata declares, PDF/A first, as checked by veraPDF. If PDF/A
   * is not declared, the first item is `not-pdfa`, so the list is never empty; if no standard is declared, it is the
   * only item.
   *
   * A failure is a broken rule. Each rule is listed once, with its first occurrence and, in the message, the number
   * of occurrences. Names and messages come from veraPDF and may change with its version: rely on `standard`,
   * `compliant`, `specification`, `clause` and `testNumber`.
   *
   * A standard whose check fails to complete is reported as not compliant, with a single failure that gives the
   * reason. A document that veraPDF cannot read at all is refused as damaged, although other operations may be able
   * to fix it.
   *
   * POST /api/v1/security/verify-pdf
   */
  verifyPdf(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<VerifyPdfAnswer>;
}
