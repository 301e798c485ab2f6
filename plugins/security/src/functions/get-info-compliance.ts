import { type JsonObject, objectOf } from './get-info-json.js';
import type { VerifiedStandard } from './verify-pdf.js';

/** How a document stands against one standard that it declares. */
export type DeclaredStandard = Pick<VerifiedStandard, 'standard' | 'compliant' | 'complianceSummary'>;

/** What is known of a document's claims. */
export interface Compliance {
  /** Undefined where nobody could check them. */
  readonly standards: readonly DeclaredStandard[] | undefined;
  /** It says in its XMP that it is PDF/E, which nothing here can check. */
  readonly declaresPdfE: boolean;
  /** Free of what secured archives refuse; undefined where that could not be read. */
  readonly secure: boolean | undefined;
}

/**
 * Gives `Compliancy` and the list for `SummaryData` (`docs/interface/security.yml`, get-info-on-pdf). What nobody
 * checked has no key.
 */
export function complianceInfo({ standards, declaresPdfE, secure }: Compliance): {
  readonly compliancy: JsonObject;
  readonly summary: JsonObject[] | undefined;
} {
  const met = (pattern: RegExp): boolean | undefined =>
    standards?.some(({ standard, compliant }) => compliant && pattern.test(standard));
  const pdfA = standards?.find(({ standard, compliant }) => compliant && /^[1-4][abuef]?$/.test(standard));
  const compliancy = objectOf([
    ['IsPDF/ACompliant', standards && pdfA !== undefined],
    ['IsPDF/UACompliant', met(/^ua\d/)],
    // PDF/A-4e took the place of PDF/E (ISO 19005-4, annex B).
    ['IsPDF/ECompliant', met(/^4e$/) === true || !declaresPdfE ? met(/^4e$/) : undefined],
    ['IsPDF/VTCompliant', false],
    // Levels A and U are B and more.
    ['IsPDF/BCompliant', met(/^[1-3][abu]$/)],
    ['PDF/AConformanceLevel', pdfA?.standard],
    ['IsPDF/SECCompliant', secure],
    ...(standards ?? []).map(({ standard, compliant }) => [standard, compliant] as const),
  ]);
  return {
    compliancy,
    summary: standards?.map(({ standard, compliant, complianceSummary }) => ({
      Standard: standard,
      Compliant: compliant,
      Summary: complianceSummary,
    })),
  };
}
