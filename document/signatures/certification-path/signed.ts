import type { KeyObject } from 'node:crypto';
import { isSignatureOf, type SignatureFacts } from '../cms/verify-cms.js';
import { type DigestName, digestOfOid, oids, signatureOids } from '../cms/oids.js';
import type { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';

/** Digests that no signature is believed with any more. */
const BROKEN: ReadonlySet<DigestName> = new Set(['md5']);

/**
 * True when the key signed what an algorithm identifier, a BIT STRING and the signed bytes say: SIGNED of X.509, a
 * list, an OCSP answer. False for what is malformed, and for digests that prove nothing (MD5).
 */
export function isSignedBy(key: KeyObject, signed: Uint8Array, algorithm: Der, signature: Der): boolean {
  try {
    const facts = algorithmOf(algorithm);
    return (
      facts !== undefined &&
      !BROKEN.has(facts.signatureDigest) &&
      isSignatureOf(key, { ...facts, signature: signature.bytes() }, signed)
    );
  } catch {
    return false;
  }
}

/** How the algorithm signs; undefined for an unknown one. Throws RangeError. */
export function algorithmOf(algorithm: Der): Omit<SignatureFacts, 'signature'> | undefined {
  const [name, parameters] = algorithm.inner();
  const oid = name?.oid() ?? '';
  if (oid === oids.ed25519 || oid === oids.ed448) return { family: 'eddsa', signatureDigest: 'sha512' };
  if (oid !== oids.rsaPss) {
    const known = signatureOids[oid];
    return known === undefined ? undefined : { family: known.family, signatureDigest: known.digest };
  }
  // RSASSA-PSS-params (RFC 4055, 3.1); absent members have defaults. OpenSSL takes one digest for both.
  const fields = parameters?.inner() ?? [];
  const field = (tag: number): Der | undefined => fields.find((part) => part.tag === tag)?.inner(tag)[0];
  const named = (identifier: Der | undefined): DigestName | undefined =>
    identifier === undefined ? 'sha1' : digestOfOid(identifier.inner()[0]?.oid() ?? '');
  const digest = named(field(0xa0));
  const mask = field(0xa1);
  if (digest === undefined || digest !== (mask === undefined ? 'sha1' : named(mask.inner()[1]))) return undefined;
  return { family: 'rsa-pss', signatureDigest: digest, saltLength: field(0xa2)?.as(tags.integer).number() ?? 20 };
}
