import type { RevocationStatus } from '@quire/document/signatures/certification-path';

/**
 * Report about a signature (`docs/interface/security.yml`, validate-signature). Every member is always present; the
 * interface's own come first.
 */
export interface SignatureReport {
  /**
   * The value is that of the covered bytes, they cover all but it, and nothing was changed behind them that must not
   * be.
   */
  readonly valid: boolean;
  readonly chainValid: boolean;
  readonly trustValid: boolean;
  readonly chainValidationError: string | null;
  readonly certPathLength: number;
  readonly notExpired: boolean;
  readonly coversEntireDocument: boolean;
  readonly revocationChecked: boolean;
  readonly revocationStatus: RevocationStatus | null;
  readonly validationTimeSource: 'current' | 'signing-time' | 'timestamp' | 'document-timestamp' | null;
  readonly signerName: string | null;
  readonly signatureDate: string | null;
  readonly reason: string | null;
  readonly location: string | null;
  readonly errorMessage: string | null;
  readonly issuerDN: string | null;
  readonly subjectDN: string | null;
  readonly serialNumber: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly signatureAlgorithm: string | null;
  readonly keySize: number;
  readonly version: string | null;
  readonly keyUsages: readonly string[] | null;
  readonly selfSigned: boolean;
  /** Full name of the signed field. */
  readonly fieldName: string | null;
  readonly subFilter: string | null;
  /**
   * Whether the value matches the covered bytes, independent of later changes; `unverifiable` if that cannot be
   * decided.
   */
  readonly integrity: 'intact' | 'broken' | 'unverifiable';
  readonly digestAlgorithm: string | null;
  /** This signature's own range reaches the end of the file. */
  readonly coversWholeFile: boolean;
  /** Changes after the covered bytes: none, allowed after such a signature, or not allowed. */
  readonly changesSinceSigning: 'none' | 'allowed' | 'refused' | 'unknown';
  readonly changes: readonly string[];
  /** Changes that a certification allows (DocMDP): 1 none, 2 forms and signatures, 3 annotations too. */
  readonly certificationLevel: number | null;
  /** Time of the RFC 3161 time stamp on the signature, or of a document time stamp. */
  readonly timestampTime: string | null;
  readonly warnings: readonly string[];
}

/** A report of nothing. */
export const nothingKnown: SignatureReport = {
  valid: false,
  chainValid: false,
  trustValid: false,
  chainValidationError: null,
  certPathLength: 0,
  notExpired: false,
  coversEntireDocument: true,
  revocationChecked: false,
  revocationStatus: null,
  validationTimeSource: null,
  signerName: null,
  signatureDate: null,
  reason: null,
  location: null,
  errorMessage: null,
  issuerDN: null,
  subjectDN: null,
  serialNumber: null,
  validFrom: null,
  validUntil: null,
  signatureAlgorithm: null,
  keySize: 0,
  version: null,
  keyUsages: null,
  selfSigned: false,
  fieldName: null,
  subFilter: null,
  integrity: 'unverifiable',
  digestAlgorithm: null,
  coversWholeFile: false,
  changesSinceSigning: 'unknown',
  changes: [],
  certificationLevel: null,
  timestampTime: null,
  warnings: [],
};
