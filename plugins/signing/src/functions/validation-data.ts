import { certificateFacts } from '@quire/document/signatures/certificates';
import {
  type AnchorLookup,
  type PathFetch,
  type PathPurpose,
  validatePath,
} from '@quire/document/signatures/certification-path';
import type { ValidationData } from '@quire/document/signatures';
import { InputError } from '@quire/registry/errors';

/** A certificate whose path is to stay verifiable. */
export interface PathWanted {
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER, in any order. */
  readonly chain: readonly Uint8Array[];
  readonly purpose: PathPurpose;
  /** Form field that errors name. */
  readonly field: string;
}

/** Where the data come from. */
export interface ValidationSources {
  /** Those that the server trusts; what ends at a root that was sent needs none. */
  readonly anchors: AnchorLookup;
  readonly fetch: PathFetch;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Collects the data of level B-LT (ETSI EN 319 142-1, 5.4 and 6.3): every certificate of each path up to its root, and
 * an OCSP response or a CRL for each but the root. Throws CERTIFICATE_REVOKED, and VALIDATION_DATA_MISSING if any of it
 * is unavailable.
 */
export async function collectValidationData(
  wanted: readonly PathWanted[],
  { anchors, fetch, now, signal }: ValidationSources,
): Promise<ValidationData> {
  const found = { certificates: [] as Uint8Array[], ocsp: [] as Uint8Array[], crls: [] as Uint8Array[] };
  for (const { certificate, chain, purpose, field } of wanted) {
    // Roots from the signature itself are accepted here: whether the path is trusted is decided at verification.
    const roots = [certificate, ...chain].filter(isSelfSigned);
    const result = await validatePath({
      leaf: certificate,
      intermediates: chain,
      anchors: roots.length > 0 ? roots : anchors,
      at: now,
      atIsProven: false,
      now,
      purpose,
      revocation: { mode: 'ocsp+crl', hardFail: true },
      evidence: { ocsp: found.ocsp, crl: found.crls },
      fetch,
      signal,
    });
    const who = purpose === 'time-stamp' ? 'the time stamp authority' : 'the signer';
    if (result.revocationStatus === 'revoked')
      throw new InputError('CERTIFICATE_REVOKED', { field, detail: `${who}: ${result.error ?? 'revoked'}` });
    if (!result.valid)
      throw new InputError('VALIDATION_DATA_MISSING', { detail: `${who}: ${result.error ?? 'no path'}` });
    found.certificates.push(...result.path);
    found.ocsp.push(...result.used.ocsp);
    found.crls.push(...result.used.crl);
  }
  return found;
}

/** A certificate that cannot be read is no root: the path through it is refused with its reason. */
function isSelfSigned(der: Uint8Array): boolean {
  try {
    return certificateFacts(der).selfSigned;
  } catch {
    return false;
  }
}
