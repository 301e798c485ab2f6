import { type JsonObject, objectOf } from './get-info-json.js';
import type { VerifiedStandard } from './verify-pdf.js';

/** Whether a document conforms to a standard that it declares. */
export type DeclaredStandard = Pick<VerifiedStandard, 'standard' | 'compliant' | 'complianceSummary'>;

export interface Compliance {
  /** Undefined if they could not be checked. */
  readonly standards: readonly DeclaredStandard[] | undefined;
  /** The XMP metadata declares PDF/E, which cannot be checked here. */
  readonly declaresPdfE: boolean;
  /** Free of content that secured archives reject; undefined if that could not be read. */
  readonly secure: boolean | undefined;
}

/**
 * Returns `Compliancy` and the list for `SummaryData` (`docs/interface/security.yml`, get-info-on-pdf). Standards that
 * were not checked have no key.
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
    // PDF/A-4e replaced PDF/E (ISO 19005-4, annex B).
    ['IsPDF/ECompliant', met(/^4e$/) === true || !declaresPdfE ? met(/^4e$/) : undefined],
    ['IsPDF/VTCompliant', false],
    // Levels A and U include level B.
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
