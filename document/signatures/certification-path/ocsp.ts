import { createHash, type KeyObject } from 'node:crypto';
import { nothing, octets, oid, sequence, tagged } from '../asn1/write-der.js';
import { digestOfOid, digestOids } from '../cms/oids.js';
import { extensionsOf } from './certificate-fields.js';
import { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';
import { isIssuedBy } from './issued.js';
import { nameKey } from './names.js';
import {
  extendedKeyUsages,
  extensionOids,
  keyPurposes,
  type PathCertificate,
  readPathCertificate,
} from './path-certificate.js';
import { reasonOf, type StatusFact, Unusable } from './status-fact.js';
import { isSignedBy } from './signed.js';

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const NONCE = '1.3.6.1.5.5.7.48.1.2';
const ARCHIVE_CUTOFF = '1.3.6.1.5.5.7.48.1.6';
const MAX_CERTIFICATES = 20;
/** Why a responder does not answer (RFC 6960, 4.2.1). */
const REFUSALS: Readonly<Record<number, string>> = {
  1: 'the request was malformed',
  2: 'an internal error',
  3: 'to try later',
  5: 'that requests must be signed',
  6: 'that it may not answer',
};

/**
 * A request for the status of one certificate (RFC 6960, 4.1), DER. Names are hashed with SHA-1, which every responder
 * takes (RFC 5019, 2.1.1).
 */
export function ocspRequest(certificate: PathCertificate, issuer: PathCertificate, nonce?: Uint8Array): Uint8Array {
  const identifier = sequence(
    sequence(oid(digestOids.sha1), nothing()),
    octets(hash('sha1', issuer.subject.raw)),
    octets(hash('sha1', keyOf(issuer))),
    certificate.serial.raw,
  );
  const extensions = nonce === undefined ? [] : [tagged(2, sequence(sequence(oid(NONCE), octets(octets(nonce)))))];
  return sequence(sequence(sequence(sequence(identifier)), ...extensions));
}

/**
 * Returns the status of a certificate in an OCSPResponse, or in the BasicOCSPResponse inside, signed by the issuer or
 * by a responder that it certified for that (RFC 6960, 4.2.2.2). The caller judges freshness. Throws Unusable.
 */
export function ocspFact(
  bytes: Uint8Array,
  certificate: PathCertificate,
  issuer: PathCertificate,
  nonce?: Uint8Array,
): StatusFact {
  try {
    return readAnswer(bytes, certificate, issuer, nonce);
  } catch (error) {
    throw error instanceof Unusable ? error : new Unusable('the OCSP answer is malformed');
  }
}

function readAnswer(
  bytes: Uint8Array,
  certificate: PathCertificate,
  issuer: PathCertificate,
  nonce: Uint8Array | undefined,
): StatusFact {
  const [data, algorithm, signature, wrapped] = basicOf(bytes).inner();
  if (data === undefined || algorithm === undefined || signature === undefined)
    throw new Unusable('the OCSP answer is incomplete');
  const fields = data.inner();
  if (fields[0]?.tag === 0xa0) fields.shift();
  const [responder, producedAt, responses, ...rest] = fields;
  if (responder === undefined || producedAt === undefined || responses === undefined)
    throw new Unusable('the OCSP answer is incomplete');
  const single = singleOf(responses, certificate, issuer);
  if (single === undefined) throw new Unusable('the OCSP answer is about another certificate');
  const extensions = extensionsOf(rest.find(({ tag }) => tag === 0xa1)?.inner(0xa1)[0]);
  const echoed = extensions.get(NONCE);
  if (nonce !== undefined && echoed !== undefined && !Buffer.from(echoed.value).equals(octets(nonce)))
    throw new Unusable('the OCSP answer is to another request (nonce)');
  if ([...extensions].some(([name, { critical }]) => critical && name !== NONCE))
    throw new Unusable('the OCSP answer has a critical extension that is not understood');
  const certificates = (wrapped?.inner(0xa0)[0]?.inner() ?? []).slice(0, MAX_CERTIFICATES);
  const signers = signersOf(responder, producedAt.time(), certificates, issuer);
  if (!signers.some((key) => isSignedBy(key, data.raw, algorithm, signature)))
    throw new Unusable(
      signers.length === 0
        ? 'the OCSP answer is from somebody whom the issuer has not authorised'
        : 'the signature of the OCSP answer does not hold',
    );
  return single;
}

function basicOf(bytes: Uint8Array): Der {
  const answer = Der.read(bytes);
  const [status, wrapped] = answer;
  if (status?.tag !== tags.enumerated) return answer;
  const code = status.number();
  if (code !== 0) throw new Unusable(`the OCSP responder says ${REFUSALS[code] ?? `no (${code})`}`);
  const [type, response] = wrapped?.inner(0xa0)[0]?.inner() ?? [];
  if (type?.oid() !== BASIC || response === undefined) throw new Unusable('the OCSP answer is of an unknown kind');
  return Der.whole(response.as(tags.octets).content);
}

/** The newest of the single answers about the certificate. */
function singleOf(responses: Der, certificate: PathCertificate, issuer: PathCertificate): StatusFact | undefined {
  let newest: StatusFact | undefined;
  for (const single of responses.as(tags.sequence)) {
    const [identifier, status, thisUpdate, ...rest] = single.inner();
    if (
      identifier === undefined ||
      status === undefined ||
      thisUpdate === undefined ||
      !isAbout(identifier, certificate, issuer)
    )
      continue;
    const extensions = extensionsOf(rest.find(({ tag }) => tag === 0xa1)?.inner(0xa1)[0]);
    if ([...extensions.values()].some(({ critical }) => critical))
      throw new Unusable('the OCSP answer has a critical extension that is not understood');
    const nextUpdate = rest
      .find(({ tag }) => tag === 0xa0)
      ?.inner(0xa0)[0]
      ?.time();
    const cutoff = extensions.get(ARCHIVE_CUTOFF);
    const common = {
      thisUpdate: thisUpdate.time(),
      ...(nextUpdate === undefined ? {} : { nextUpdate }),
      ...(cutoff === undefined ? {} : { keptSince: Der.whole(cutoff.value).time() }),
    };
    const fact = factOf(status, common);
    if (newest === undefined || fact.thisUpdate > newest.thisUpdate) newest = fact;
  }
  return newest;
}

function factOf(status: Der, common: Pick<StatusFact, 'thisUpdate' | 'nextUpdate' | 'keptSince'>): StatusFact {
  if (status.tag === 0x80) return { state: 'good', ...common };
  if (status.tag !== 0xa1) return { state: 'unknown', ...common };
  const [time, reason] = status.inner(0xa1);
  if (time === undefined) throw new Unusable('the OCSP answer does not say when the certificate was revoked');
  return { state: 'revoked', revokedAt: time.time(), reason: reasonOf(reason?.inner(0xa0)[0]?.number()), ...common };
}

function isAbout(identifier: Der, certificate: PathCertificate, issuer: PathCertificate): boolean {
  const [algorithm, name, key, serial] = identifier.inner();
  const digest = digestOfOid(algorithm?.inner()[0]?.oid() ?? '');
  if (digest === undefined || name === undefined || key === undefined || serial === undefined) return false;
  return (
    Buffer.from(serial.raw).equals(certificate.serial.raw) &&
    Buffer.from(name.content).equals(hash(digest, issuer.subject.raw)) &&
    Buffer.from(key.content).equals(hash(digest, keyOf(issuer)))
  );
}

/** Keys that may have signed: of the responder that is named, which is the issuer or was authorised by it. */
function signersOf(
  responder: Der,
  producedAt: Date,
  certificates: readonly Der[],
  issuer: PathCertificate,
): KeyObject[] {
  const byName = responder.tag === 0xa1 ? nameKey(responder.inner(0xa1)[0] ?? responder) : undefined;
  const byKey = responder.tag === 0xa2 ? responder.inner(0xa2)[0]?.as(tags.octets).content : undefined;
  const means = (candidate: PathCertificate): boolean =>
    byName === undefined
      ? byKey !== undefined && Buffer.from(byKey).equals(hash('sha1', keyOf(candidate)))
      : byName === candidate.subjectKey;
  const delegates = certificates
    .flatMap(({ raw }) => readPathCertificate(raw) ?? [])
    .filter(
      (candidate) =>
        means(candidate) &&
        candidate.notBefore <= producedAt &&
        producedAt <= candidate.notAfter &&
        extendedKeyUsages(candidate)?.purposes.includes(keyPurposes.ocspSigning) === true &&
        ![...candidate.extensions].some(
          ([name, { critical }]) => critical && !(Object.values(extensionOids) as string[]).includes(name),
        ) &&
        isIssuedBy(candidate, issuer),
    );
  return [...(means(issuer) ? [issuer] : []), ...delegates].map(({ x509 }) => x509.publicKey);
}

function keyOf({ publicKeyInfo }: PathCertificate): Uint8Array {
  const [, key] = publicKeyInfo.inner();
  if (key === undefined) throw new RangeError('a key is missing');
  return key.bytes();
}

function hash(digest: string, bytes: Uint8Array): Buffer {
  return createHash(digest).update(bytes).digest();
}
