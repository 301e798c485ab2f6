/** Use of the certificate at the end of the path: signing a document, or time stamping (RFC 3161, 2.3). */
export type PathPurpose = 'signature' | 'time-stamp';

/** How revocation is asked for: `ocsp` and `crl` without falling back on the other, `ocsp+crl` OCSP first. */
export type RevocationMode = 'none' | 'ocsp' | 'crl' | 'ocsp+crl';

/**
 * What became of the check of revocation, in the words of `docs/interface/security.yml` (validate-signature,
 * revocationStatus).
 */
export type RevocationStatus = 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown';

/**
 * Revocation data that came with a document (DSS, VRI, adbe-revocationInfoArchival, CMS), DER: OCSPResponse or
 * BasicOCSPResponse, CertificateList.
 */
export interface RevocationEvidence {
  readonly ocsp: readonly Uint8Array[];
  readonly crl: readonly Uint8Array[];
}

/**
 * Gives the anchors whose subject has one of these name keys (`nameKeyOf`), DER. For large sets that lie elsewhere;
 * what it gives too much is passed over.
 */
export type AnchorLookup = (nameKeys: readonly string[]) => Promise<readonly Uint8Array[]>;

/** Data fetched for a path: certificates of an issuer, an OCSP response, a revocation list. */
export type FetchKind = 'issuers' | 'ocsp' | 'crl';

/**
 * Fetches from an address that a certificate names. Undefined when it is not available for any reason; it rejects
 * only when the work is cancelled.
 */
export type PathFetch = (kind: FetchKind, url: string, request?: Uint8Array) => Promise<Uint8Array | undefined>;

/** Input of a path search. Certificates are DER. */
export interface PathRequest {
  readonly leaf: Uint8Array;
  /** In any order; anything but a certificate is ignored. */
  readonly intermediates: readonly Uint8Array[];
  /**
   * Trusted as they are: neither their own validity nor their signature is looked at, unless the leaf itself is one.
   */
  readonly anchors: readonly Uint8Array[] | AnchorLookup;
  /** Validation time. */
  readonly at: Date;
  /**
   * True when a time stamp proves the validation time: a revocation that came later does not count then. A claimed time
   * proves nothing (whoever holds a stolen key claims what he likes), so that every revocation counts.
   */
  readonly atIsProven: boolean;
  /** Today: revocation data from the future does not count. */
  readonly now: Date;
  readonly purpose: PathPurpose;
  readonly revocation: { readonly mode: RevocationMode; readonly hardFail: boolean };
  /** Looked at before the network is. */
  readonly evidence?: RevocationEvidence;
  /** Absent where the network must not be used (`security.validation.allowAIA` false). */
  readonly fetch?: PathFetch;
  /**
   * Sent in OCSP requests; an answer with another one does not count. Absent: requests without, whose answers may come
   * from a cache.
   */
  readonly nonce?: Uint8Array;
  readonly signal?: AbortSignal;
}

/** Why there is no valid path. */
export type PathFailure =
  | 'certificate-unreadable'
  | 'no-issuer'
  | 'not-trusted'
  | 'too-many-paths'
  | 'expired'
  | 'not-yet-valid'
  | 'not-an-authority'
  | 'path-length'
  | 'key-usage'
  | 'purpose'
  | 'critical-extension'
  | 'name-constraints'
  | 'policies'
  | 'algorithm'
  | 'signature'
  | 'revoked'
  | 'revocation-unknown';

/** How the check of a path ended. */
export interface PathResult {
  /**
   * A path was built and validated (RFC 5280, 6.1) and ends at an anchor; with `hardFail`, nothing of it has an unknown
   * revocation status.
   */
  readonly valid: boolean;
  /**
   * DER, leaf first, the anchor last. Of an invalid path what was built last; empty when none could be. A leaf that is
   * an anchor is alone.
   */
  readonly path: readonly Uint8Array[];
  /**
   * Certificates in the path without the anchor (`certPathLength` of the contract), 1 for a leaf that is an anchor; 0
   * when there is no path.
   */
  readonly length: number;
  /** The leaf is valid at the validation time. */
  readonly notExpired: boolean;
  readonly failure: PathFailure | null;
  /** Why the path failed, a sentence; null when it did not. Speaks of revocation only when that is why. */
  readonly error: string | null;
  readonly revocationStatus: RevocationStatus;
  /** When and why the certificate was revoked that made the path fail. */
  readonly revoked?: { readonly at: Date; readonly reason: string };
  /** Checks that failed and were tolerated (`hardFail` false), as sentences. */
  readonly softFailures: readonly string[];
  /** Weak algorithms in the path that were let pass (SHA-1, RSA below 2048 bits), sentences. */
  readonly weaknesses: readonly string[];
  /** Revocation data that was used, also what was fetched: what a document carries to stay verifiable (DSS). */
  readonly used: RevocationEvidence;
}
