import { oids } from '../cms/oids.js';
import type { Der } from '../asn1/der-reader.js';
import { constrained, namesSuit, noConstraints } from './name-constraints.js';
import {
  basicConstraints,
  extendedKeyUsages,
  extensionOids,
  keyPurposes,
  keyUsageBits,
  mayBeUsed,
  type PathCertificate,
} from './path-certificate.js';
import { PolicyState } from './policies.js';
import { algorithmOf } from './signed.js';
import type { PathFailure, PathPurpose } from './types.js';

/** Why a path is not valid. */
export interface PathFault {
  readonly failure: PathFailure;
  readonly error: string;
}

/** Extensions that are processed here or in the check of revocation, or that say nothing about the path. */
const UNDERSTOOD: ReadonlySet<string> = new Set(Object.values(extensionOids));

/**
 * Checks a path whose certificates are chained by name and signature already: leaf first, anchor last (RFC 5280, 6.1).
 * The anchor is trusted as it is (6.1.1 d), but only an authority may have issued others. Undefined when the path is
 * valid.
 */
export function pathFault(path: readonly PathCertificate[], at: Date, purpose: PathPurpose): PathFault | undefined {
  const below = path.slice(0, -1).toReversed();
  const anchor = path.at(-1);
  const policies = new PolicyState(below.length);
  let names = noConstraints;
  let mayFollow = below.length;
  if (anchor !== undefined && below.length > 0 && !mayBeAuthority(anchor))
    return {
      failure: 'not-an-authority',
      error: `The trusted certificate "${anchor.label}" is not an authority and must not issue others.`,
    };
  for (const [i, certificate] of below.entries()) {
    const last = i === below.length - 1;
    const called = `The certificate "${certificate.label}"`;
    try {
      const fault =
        algorithmFault(certificate, called) ??
        validityFault(certificate, at, called) ??
        unknownFault(certificate, called);
      if (fault !== undefined) return fault;
      if ((last || !certificate.selfIssued) && !namesSuit(names, certificate))
        return {
          failure: 'name-constraints',
          error: `${called} bears a name that an authority above it must not give.`,
        };
      if (!policies.accept(certificate, last))
        return { failure: 'policies', error: `${called} has no policy that an authority above it demands.` };
      if (last) break;
      const constraints = basicConstraints(certificate);
      if (certificate.version !== 3 || constraints?.authority !== true)
        return { failure: 'not-an-authority', error: `${called} is not an authority and must not issue others.` };
      if (!mayBeUsed(certificate, keyUsageBits.keyCertSign))
        return { failure: 'key-usage', error: `${called} must not sign certificates.` };
      if (!certificate.selfIssued && --mayFollow < 0)
        return { failure: 'path-length', error: `${called} is one authority more than the path may have.` };
      mayFollow = Math.min(mayFollow, constraints.pathLength ?? Infinity);
      names = constrained(names, certificate);
      const usages = purpose === 'time-stamp' ? extendedKeyUsages(certificate) : undefined;
      if (usages !== undefined && !allows(usages.purposes, keyPurposes.timeStamping))
        return { failure: 'purpose', error: `${called} must not issue certificates for time stamps.` };
    } catch (error) {
      return { failure: 'certificate-unreadable', error: `${called} is malformed: ${(error as Error).message}.` };
    }
  }
  const [leaf] = path;
  return leaf === undefined ? undefined : leafFault(leaf, at, purpose, below.length === 0);
}

/** Certificates had no extensions before version 3 (RFC 5280, 6.1.4 k). */
function mayBeAuthority(anchor: PathCertificate): boolean {
  try {
    return anchor.version < 3 || basicConstraints(anchor)?.authority === true;
  } catch {
    return false;
  }
}

/** Requirements for the end certificate; for one that is an anchor itself, validity too. */
function leafFault(leaf: PathCertificate, at: Date, purpose: PathPurpose, isAnchor: boolean): PathFault | undefined {
  const called = `The certificate "${leaf.label}"`;
  try {
    if (isAnchor) {
      const fault = algorithmFault(leaf, called) ?? validityFault(leaf, at, called);
      if (fault !== undefined) return fault;
    }
    if (!mayBeUsed(leaf, keyUsageBits.digitalSignature) && !mayBeUsed(leaf, keyUsageBits.nonRepudiation))
      return { failure: 'key-usage', error: `${called} must not be used for signatures.` };
    if (purpose !== 'time-stamp') return undefined;
    const usages = extendedKeyUsages(leaf);
    return usages?.critical === true && usages.purposes.length === 1 && usages.purposes[0] === oids.timeStamping
      ? undefined
      : { failure: 'purpose', error: `${called} is not for time stamps alone.` };
  } catch (error) {
    return { failure: 'certificate-unreadable', error: `${called} is malformed: ${(error as Error).message}.` };
  }
}

/** Sentences about algorithms that are let pass: the anchor's own signature proves nothing and is left out. */
export function weaknessesOf(path: readonly PathCertificate[]): string[] {
  return path.flatMap((certificate, i) => {
    const sha1 = i < path.length - 1 && digestOf(certificate.signatureAlgorithm) === 'sha1';
    const { modulusLength } = detailsOf(certificate);
    return [
      ...(sha1 ? [`The certificate "${certificate.label}" was signed with SHA-1.`] : []),
      ...(modulusLength !== undefined && modulusLength < 2048
        ? [`The key of the certificate "${certificate.label}" has only ${modulusLength} bits.`]
        : []),
    ];
  });
}

/** Algorithms that prove nothing any more: MD5, keys that are broken in practice, keys unknown to OpenSSL. */
function algorithmFault(certificate: PathCertificate, called: string): PathFault | undefined {
  if (digestOf(certificate.signatureAlgorithm) === 'md5')
    return { failure: 'algorithm', error: `${called} was signed with MD5, which proves nothing.` };
  const { modulusLength, namedCurve } = detailsOf(certificate);
  if (modulusLength !== undefined && modulusLength < 1024)
    return {
      failure: 'algorithm',
      error: `The key of the certificate "${certificate.label}" has only ${modulusLength} bits, which proves nothing.`,
    };
  if (namedCurve !== undefined && Number(/\d{3}/.exec(namedCurve)?.[0] ?? 256) < 190)
    return {
      failure: 'algorithm',
      error: `The key of the certificate "${certificate.label}" is on the curve ${namedCurve}, which proves nothing.`,
    };
  return undefined;
}

function validityFault({ notBefore, notAfter }: PathCertificate, at: Date, called: string): PathFault | undefined {
  if (at < notBefore)
    return {
      failure: 'not-yet-valid',
      error: `${called} is valid from ${notBefore.toISOString()} only, after the validation time ${at.toISOString()}.`,
    };
  if (at > notAfter)
    return {
      failure: 'expired',
      error: `${called} expired at ${notAfter.toISOString()}, before the validation time ${at.toISOString()}.`,
    };
  return undefined;
}

function unknownFault({ extensions }: PathCertificate, called: string): PathFault | undefined {
  const unknown = [...extensions].find(([oid, { critical }]) => critical && !UNDERSTOOD.has(oid));
  return unknown === undefined
    ? undefined
    : {
        failure: 'critical-extension',
        error: `${called} has the critical extension ${unknown[0]}, which is not understood.`,
      };
}

function allows(purposes: readonly string[], wanted: string): boolean {
  return purposes.includes(wanted) || purposes.includes(keyPurposes.anyPurpose);
}

function detailsOf({ x509 }: PathCertificate): { readonly modulusLength?: number; readonly namedCurve?: string } {
  try {
    return x509.publicKey.asymmetricKeyDetails ?? {};
  } catch {
    return {};
  }
}

function digestOf(algorithm: Der): string | undefined {
  try {
    return algorithmOf(algorithm)?.signatureDigest;
  } catch {
    return undefined;
  }
}
