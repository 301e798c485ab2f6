// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ValidateSignaturesOptions {
  /**
   * X.509 certificate (PEM, DER) or PKCS#7 bundle; the only trust anchors of this call. An empty file counts as none.
   */
  readonly certFile?: Input;
}

/** Answer of `validateSignatures`. */
export type ValidateSignaturesAnswer = readonly {
  readonly valid: boolean;
  readonly chainValid: boolean;
  readonly trustValid: boolean;
  readonly chainValidationError: string | null;
  readonly certPathLength: number;
  readonly notExpired: boolean;
  readonly coversEntireDocument: boolean;
  readonly revocationChecked: boolean;
  readonly revocationStatus: 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown' | null;
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
  readonly keyUsages: readonly (
    | 'Digital Signature'
    | 'Non-Repudiation'
    | 'Key Encipherment'
    | 'Data Encipherment'
    | 'Key Agreement'
    | 'Certificate Signing'
    | 'CRL Signing'
    | 'Encipher Only'
    | 'Decipher Only')[] | null;
  readonly selfSigned: boolean;
  readonly fieldName: string | null;
  readonly subFilter: string | null;
  readonly integrity: 'intact' | 'broken' | 'unverifiable';
  readonly digestAlgorithm: string | null;
  readonly coversWholeFile: boolean;
  readonly changesSinceSigning: 'none' | 'allowed' | 'refused' | 'unknown';
  readonly changes: readonly string[];
  readonly certificationLevel: 1 | 2 | 3 | null;
  readonly timestampTime: string | null;
  readonly warnings: readonly string[];
}[];

export interface ValidateSignatures {
  /**
   * Check every signature, its chain and later changes.
   *
   * Returns one item for each signature dictionary, including document time stamps, in the order of the form fields;
   * `[]` for an unsigned document. All members are always present; unknown values are `null`, `false` or `0`. A
   * signature that cannot be read is `valid: false` with an `errorMessage`, and the status is still 200.
   *
   * `valid` is true if the signature matches the signed bytes (`integrity`), these bytes are the whole document
   * except the signature value, and later changes are allowed for such a signature (`changesSinceSigning`): filling
   * in forms, further signatures, evidence for them, and what a certification allows. It does not say whether the
   * signer is trusted; `chainValid` and `trustValid` do.
   *
   * `certFile` (PEM, DER, PKCS#7) replaces all trust sources for this call: every certificate in it is an anchor.
   * Revocation is checked as set in `security.validation.revocation`. Nothing is fetched unless
   * `security.validation.allowAIA` is on, but revocation data in the document is used.
   *
   * Dates are in the time zone of the server. The certificate chain is checked at the time of the time stamp, or else
   * at that of the attribute signing-time, which PAdES signatures do not have, or else now (`validationTimeSource`).
   *
   * POST /api/v1/security/validate-signature
   */
  validateSignatures(
    file: Input,
    options?: ValidateSignaturesOptions,
    call?: CallOptions,
  ): Promise<ValidateSignaturesAnswer>;
}
