import { type Extension, extensionsOf } from './certificate-fields.js';
import { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';
import { nameKey } from './names.js';
import {
  basicConstraints,
  type DistributionPoint,
  distributionPoints,
  extensionOids,
  keyUsageBits,
  mayBeUsed,
  type PathCertificate,
} from './path-certificate.js';
import { isSignedBy } from './signed.js';
import { reasonOf, type StatusFact, Unusable } from './status-fact.js';

const oids = {
  number: '2.5.29.20',
  reason: '2.5.29.21',
  delta: '2.5.29.27',
  issuingPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  invalidityDate: '2.5.29.24',
  keptSince: '2.5.29.60',
} as const;
const UNDERSTOOD: ReadonlySet<string> = new Set([
  oids.number,
  oids.delta,
  oids.issuingPoint,
  extensionOids.authorityKeyIdentifier,
  extensionOids.freshestCrl,
  oids.keptSince,
]);

/** A revocation list (RFC 5280, 5.1) whose entries are not read yet. */
export interface RevocationList {
  readonly der: Uint8Array;
  readonly issuerKey: string;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  readonly entries: Der | undefined;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** It says only what changed since the list with this number. */
  readonly deltaOf?: bigint;
  readonly number?: bigint;
  isSignedBy(issuer: PathCertificate): boolean;
}

/** Reads a CRL; undefined if it is invalid. */
export function readList(der: Uint8Array): RevocationList | undefined {
  try {
    const [body, algorithm, signature] = Der.read(der).inner();
    if (body === undefined || algorithm === undefined || signature === undefined) return undefined;
    const fields = body.inner();
    if (fields[0]?.tag === tags.integer) fields.shift();
    const [, issuer, thisUpdate, ...rest] = fields;
    if (issuer === undefined || thisUpdate === undefined) return undefined;
    const extensions = extensionsOf(rest.find(({ tag }) => tag === 0xa0)?.inner(0xa0)[0]);
    const next = rest.find(({ tag }) => tag === tags.utcTime || tag === tags.generalizedTime);
    const numberOf = (oid: string): bigint | undefined => {
      const found = extensions.get(oid);
      return found === undefined ? undefined : Der.whole(found.value).bigint();
    };
    const deltaOf = numberOf(oids.delta);
    const number = numberOf(oids.number);
    const known = new Map<string, boolean>();
    return {
      der,
      issuerKey: nameKey(issuer),
      thisUpdate: thisUpdate.time(),
      ...(next === undefined ? {} : { nextUpdate: next.time() }),
      entries: rest.find(({ tag }) => tag === tags.sequence),
      extensions,
      ...(deltaOf === undefined ? {} : { deltaOf }),
      ...(number === undefined ? {} : { number }),
      isSignedBy: ({ fingerprint, x509 }) => {
        const holds = known.get(fingerprint) ?? isSignedBy(x509.publicKey, body.raw, algorithm, signature);
        known.set(fingerprint, holds);
        return holds;
      },
    };
  } catch {
    return undefined;
  }
}

/** Addresses of the delta lists of a list or for a certificate. */
export function deltaAddresses(...holders: readonly Pick<PathCertificate, 'extensions'>[]): string[] {
  return [
    ...new Set(
      holders
        .flatMap((holder) => distributionPoints(holder, extensionOids.freshestCrl))
        .flatMap(({ addresses }) => addresses),
    ),
  ].slice(0, 2);
}

/**
 * Returns the status of a certificate in a complete CRL, with a delta CRL if there is one. The CRL must be the issuer's
 * own and valid for the certificate (RFC 5280, 6.3.3). The caller judges freshness. Throws Unusable.
 */
export function listFact(
  list: RevocationList,
  certificate: PathCertificate,
  issuer: PathCertificate,
  delta?: RevocationList,
): StatusFact {
  try {
    if (list.deltaOf !== undefined) throw new Unusable('the CRL contains only changes since another one');
    const partial = scopeOf(list, certificate, issuer);
    const added =
      delta !== undefined && continues(delta, list) && !scopeOf(delta, certificate, issuer) ? delta : undefined;
    const source = added ?? list;
    const kept = list.extensions.get(oids.keptSince);
    const common = {
      thisUpdate: source.thisUpdate,
      ...(source.nextUpdate === undefined ? {} : { nextUpdate: source.nextUpdate }),
      ...(kept === undefined ? {} : { keptSince: Der.whole(kept.value).time() }),
    };
    const entry = (added === undefined ? undefined : entryOf(added, certificate)) ?? entryOf(list, certificate);
    if (entry !== undefined && entry.reason !== 'removed from the list')
      return { state: 'revoked', ...entry, ...common };
    if (partial) throw new Unusable('the CRL covers only some revocation reasons');
    return { state: 'good', ...common };
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable('the list is malformed');
  }
}

/** A delta goes with any complete list that is not older than its base, and not newer than itself (RFC 5280, 5.2.4). */
function continues(delta: RevocationList, { number }: RevocationList): boolean {
  return (
    delta.deltaOf !== undefined &&
    delta.number !== undefined &&
    number !== undefined &&
    number >= delta.deltaOf &&
    delta.number >= number
  );
}

/**
 * True when the list is for some reasons only; throws Unusable when it is not for this certificate, or not the
 * issuer's.
 */
function scopeOf(list: RevocationList, certificate: PathCertificate, issuer: PathCertificate): boolean {
  if (list.issuerKey !== certificate.issuerKey) throw new Unusable('the list is from another authority');
  const unknown = [...list.extensions].find(([oid, { critical }]) => critical && !UNDERSTOOD.has(oid));
  if (unknown !== undefined)
    throw new Unusable(`the list has the critical extension ${unknown[0]}, which is not understood`);
  const point = list.extensions.get(oids.issuingPoint);
  const parts = point === undefined ? [] : Der.whole(point.value).inner();
  const says = (tag: number): boolean => parts.some((part) => part.tag === tag && part.content[0] !== 0);
  const authority = basicConstraints(certificate)?.authority === true;
  if (says(0x84)) throw new Unusable('the list is indirect, which is not supported');
  if (says(0x85) || (says(0x81) && authority) || (says(0x82) && !authority))
    throw new Unusable('the list is for certificates of another kind');
  const name = parts.find(({ tag }) => tag === 0xa0);
  if (name !== undefined && !isPlaceOf(name, distributionPoints(certificate)))
    throw new Unusable('the list is for other certificates of the authority');
  if (!mayBeUsed(issuer, keyUsageBits.crlSign)) throw new Unusable('the authority must not sign lists');
  if (!list.isSignedBy(issuer)) throw new Unusable('the signature of the list does not hold');
  return parts.some(({ tag }) => tag === 0x83);
}

function isPlaceOf(name: Der, points: readonly DistributionPoint[]): boolean {
  const full =
    name
      .inner(0xa0)
      .find(({ tag }) => tag === 0xa0)
      ?.inner(0xa0) ?? [];
  return full.some(({ raw }) => points.some(({ names }) => names.some((own) => Buffer.from(own).equals(raw))));
}

function entryOf(
  { entries }: RevocationList,
  certificate: PathCertificate,
): Required<Pick<StatusFact, 'revokedAt' | 'reason'>> | undefined {
  const serial = Buffer.from(certificate.serial.raw);
  for (const entry of entries ?? []) {
    const [first] = entry;
    if (first === undefined || !serial.equals(first.raw)) continue;
    const [, time, list] = entry.inner();
    const extensions = extensionsOf(list);
    if ([...extensions].some(([oid, { critical }]) => critical && oid !== oids.reason && oid !== oids.invalidityDate))
      throw new Unusable('an entry of the list has a critical extension that is not understood');
    const reason = extensions.get(oids.reason);
    if (time === undefined) throw new Unusable('an entry of the list has no time');
    return {
      revokedAt: time.time(),
      reason: reasonOf(reason === undefined ? undefined : Der.whole(reason.value).as(tags.enumerated).number()),
    };
  }
  return undefined;
}
