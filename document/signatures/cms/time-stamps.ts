import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import type { BaseBlock } from 'asn1js';
import { inner, rawOf, readElement } from '../asn1/read-asn1.js';
import { element, integer, octets, sequence } from '../asn1/write-der.js';
import { type DigestName, digestOfOid, oids } from './oids.js';
import { CmsFault, readCms } from './read-cms.js';
import { digestIdentifier } from './schemes.js';
import { verifySigner } from './verify-cms.js';

/** Content of a time stamp token, and whether it is valid. */
export interface TimeStamp {
  readonly time: Date;
  readonly imprint: { readonly digest: DigestName; readonly hash: Uint8Array };
  readonly policy: string;
  /** DER of the authority's certificate, and of the others in the token. */
  readonly certificate?: Uint8Array;
  readonly certificates: readonly Uint8Array[];
  /** True when other bytes than zeros follow the token. */
  readonly trailing: boolean;
  /** Why the token does not hold; absent when it does. Trust in the authority is another question. */
  readonly fault?: string;
}

/** A request for a time stamp, and what its answer must agree with. */
export interface TimeStampRequest {
  /** DER of a TimeStampReq (RFC 3161, 2.4.1). */
  readonly der: Uint8Array;
  readonly digest: DigestName;
  readonly hash: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Makes a request for a hash: with a random nonce, and asking for the authority's certificate. */
export function timeStampRequest(
  hash: Uint8Array,
  digest: 'sha256' | 'sha384' | 'sha512' = 'sha256',
  nonce: Uint8Array = randomBytes(8),
): TimeStampRequest {
  return {
    der: sequence(
      integer(1),
      sequence(digestIdentifier(digest), octets(hash)),
      integer(nonce),
      element(0x01, Uint8Array.of(0xff)),
    ),
    digest,
    hash,
    nonce,
  };
}

/**
 * Takes the token out of a reply (RFC 3161, 2.4.2) that agrees with the request: status, hash, nonce, a signature that
 * holds, a certificate for time stamps alone. Throws CmsFault.
 */
export async function readTimeStampReply(reply: Uint8Array, request: TimeStampRequest): Promise<Uint8Array> {
  const read = readElement(reply);
  const [info, token] = read === undefined ? [] : inner(read.block);
  const status =
    info === undefined
      ? undefined
      : (inner(info)[0] as { valueBlock?: { valueDec?: number } } | undefined)?.valueBlock?.valueDec;
  if (status === undefined) throw new CmsFault('with something that is not a time stamp response');
  // granted, granted with modifications
  if (status > 1 || token === undefined) throw new CmsFault(`that it refuses the time stamp (status ${status})`);
  const stamp = rawOf(token);
  const { info: said, ...found } = await readToken(stamp);
  if (found.fault !== undefined) throw new CmsFault(`with a time stamp that does not hold: ${found.fault}`);
  if (found.imprint.digest !== request.digest || !Buffer.from(found.imprint.hash).equals(request.hash))
    throw new CmsFault('with a time stamp of something else');
  if (
    !said.some(
      (field) =>
        field.idBlock.tagClass === 1 &&
        field.idBlock.tagNumber === 2 &&
        Buffer.from(rawOf(field)).equals(integer(request.nonce)),
    )
  )
    throw new CmsFault('with a time stamp of another request (nonce)');
  return stamp;
}

/**
 * Reads a token (RFC 3161, 2.4.2) and checks its own signature and its authority's purpose. `more`: certificates from
 * elsewhere, for a token without its authority's (RFC 3161, 2.4.1, certReq). Throws CmsFault for what is no token.
 */
export async function readTimeStamp(token: Uint8Array, more: readonly Uint8Array[] = []): Promise<TimeStamp> {
  const { info: _info, ...stamp } = await readToken(token, more);
  return stamp;
}

async function readToken(
  token: Uint8Array,
  more: readonly Uint8Array[] = [],
): Promise<TimeStamp & { readonly info: readonly BaseBlock[] }> {
  const cms = await readCms(token);
  const { content, contentType, certificates, trailing } = cms;
  if (contentType !== oids.timeStampInfo || content === undefined)
    throw new CmsFault('the time stamp token holds no TSTInfo');
  const read = readElement(content);
  if (read === undefined) throw new CmsFault('the time stamp token holds no readable TSTInfo');
  const [, policy, imprint, , time, ...info] = inner(read.block);
  const [algorithm, hashed] = imprint === undefined ? [] : inner(imprint);
  const digest =
    algorithm === undefined
      ? undefined
      : digestOfOid(String((inner(algorithm)[0] as { valueBlock?: { toString(): string } } | undefined)?.valueBlock));
  const hash = (hashed?.valueBlock as { valueHexView?: Uint8Array } | undefined)?.valueHexView;
  const when = time !== undefined && 'toDate' in time ? (time as BaseBlock & { toDate(): Date }).toDate() : undefined;
  if (digest === undefined || hash === undefined || when === undefined || Number.isNaN(when.getTime()))
    throw new CmsFault('the time stamp token is incomplete');
  const [signer, second] = cms.signers;
  const stamp = {
    time: when,
    imprint: { digest, hash: new Uint8Array(hash) },
    policy: String((policy?.valueBlock as { toString(): string } | undefined) ?? ''),
    certificates,
    trailing,
    info,
  };
  if (signer === undefined || second !== undefined)
    return { ...stamp, fault: 'the time stamp token does not have exactly one signer' };
  const verdict = await verifySigner(cms, signer, () => [content], { more });
  const certificate = verdict.certificate === undefined ? {} : { certificate: verdict.certificate };
  const fault =
    verdict.fault ??
    (verdict.certificate !== undefined && !isForTimeStampsAlone(verdict.certificate)
      ? 'the certificate of the time stamp authority is not for time stamps alone'
      : undefined);
  return { ...stamp, ...certificate, ...(fault === undefined ? {} : { fault }) };
}

/** RFC 3161, 2.3: one extended key usage, time stamping, and critical. */
function isForTimeStampsAlone(certificate: Uint8Array): boolean {
  const { keyUsage } = new X509Certificate(certificate) as { readonly keyUsage?: readonly string[] };
  if (keyUsage?.length !== 1 || keyUsage[0] !== oids.timeStamping) return false;
  // Extension: identifier 2.5.29.37, critical TRUE.
  return Buffer.from(certificate).includes(Buffer.from('0603551d250101ff', 'hex'));
}

/** SHA-256 of bytes, the only thing that leaves for a time stamp authority. */
export function stampedHash(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
