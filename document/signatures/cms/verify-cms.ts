import { constants, createHash, createVerify, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { oids, type DigestName } from './oids.js';
import type { CmsSignedData, CmsSignerInfo } from './read-cms.js';

/** Gives the signed content, as often as it is asked for. */
export type SignedContent = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** How the check of one signer ended. */
export interface CmsVerdict {
  /**
   * The digest in the signed attributes is that of the content, or there are none and the signature is over the
   * content.
   */
  readonly digestMatches: boolean;
  /** The signature is the certificate's key's, over what it should be. */
  readonly signatureMatches: boolean;
  /** DER of the signer's certificate; absent when neither the CMS nor the document holds one that the signer means. */
  readonly certificate?: Uint8Array;
  /** Why it is not valid; absent when it is. */
  readonly fault?: string;
  /** Digests that no longer protect (SHA-1, MD5), by name. */
  readonly weak: readonly DigestName[];
}

/** What a check may use besides CMS and content. */
export interface VerifyOptions {
  /** DER of certificates from elsewhere, such as the document's security store, for a CMS without the signer's. */
  readonly more?: readonly Uint8Array[];
  /** Digests the content, where the caller knows a part of it. */
  readonly digest?: (name: DigestName) => Uint8Array | Promise<Uint8Array>;
}

const WEAK: ReadonlySet<DigestName> = new Set(['md5', 'sha1']);

/**
 * Checks one signer of a CMS against the content that it should have signed (RFC 5652, 5.4 to 5.6). The arithmetic is
 * OpenSSL's. Never throws for what the CMS holds.
 */
export async function verifySigner(
  { certificates, contentType }: CmsSignedData,
  signer: CmsSignerInfo,
  content: SignedContent,
  { more = [], digest = (name) => digestOf(content, name) }: VerifyOptions = {},
): Promise<CmsVerdict> {
  const weak = [...new Set([signer.digest, signer.signatureDigest])].filter((digest) => WEAK.has(digest));
  const certificate = certificateOf(signer, certificates) ?? certificateOf(signer, more);
  const answer = (digestMatches: boolean, signatureMatches: boolean, fault?: string): CmsVerdict => ({
    digestMatches,
    signatureMatches,
    weak,
    ...(certificate === undefined ? {} : { certificate }),
    ...(fault === undefined ? {} : { fault }),
  });
  const digestMatches =
    signer.signedAttributes === undefined ? undefined : equal(signer.messageDigest, await digest(signer.digest));
  if (certificate === undefined)
    return answer(digestMatches ?? false, false, 'the signature holds no certificate of its signer');
  let key: KeyObject;
  try {
    key = new X509Certificate(certificate).publicKey;
  } catch {
    return answer(digestMatches ?? false, false, "the key in the signer's certificate cannot be read");
  }
  if (digestMatches === undefined) {
    const matches = await verifyContent(key, signer, content);
    return answer(matches, matches, matches ? undefined : 'the signature does not match the document');
  }
  const signatureMatches = [signer.signedAttributes, signer.writtenAttributes].some(
    (attributes) => attributes !== undefined && isSignatureOf(key, signer, attributes),
  );
  if (signer.messageDigest === undefined)
    return answer(false, signatureMatches, 'the signed attributes hold no digest of the document');
  if (!digestMatches)
    return answer(false, signatureMatches, 'the document was changed: its digest is not the one that was signed');
  if (!signatureMatches) return answer(true, false, 'the signature does not match its signed attributes');
  if (signer.contentType !== contentType)
    return answer(true, true, 'the signed content type is not that of the content');
  const { certificateHash: bound } = signer;
  if (bound !== undefined && !equal(bound.hash, createHash(bound.digest).update(certificate).digest()))
    return answer(true, true, "the signer's certificate is not the one that was signed for");
  return answer(true, true);
}

/** The certificate that a signer means; of several, the one whose hash it signed. */
function certificateOf(
  { matches, certificateHash: bound }: CmsSignerInfo,
  certificates: readonly Uint8Array[],
): Uint8Array | undefined {
  const meant = certificates.filter((der) => matches(der));
  return (
    meant.find((der) => bound !== undefined && equal(bound.hash, createHash(bound.digest).update(der).digest())) ??
    meant[0]
  );
}

/** The digest of content, over all its pieces. */
export async function digestOf(content: SignedContent, digest: DigestName): Promise<Uint8Array> {
  const hash = createHash(digest);
  for await (const piece of content()) hash.update(piece);
  return hash.digest();
}

/** True when the content type says that the CMS is a time stamp token. */
export function isTimeStampToken({ contentType }: CmsSignedData): boolean {
  return contentType === oids.timeStampInfo;
}

/** A signature and how it was made. */
export type SignatureFacts = Pick<CmsSignerInfo, 'family' | 'signatureDigest' | 'saltLength' | 'signature'>;

/** True when the key made the signature over the bytes; OpenSSL says so. False also for a key of another kind. */
export function isSignatureOf(key: KeyObject, signer: SignatureFacts, data: Uint8Array): boolean {
  const options = optionsOf(key, signer);
  if (options === undefined) return false;
  try {
    return verify(signer.family === 'eddsa' ? null : signer.signatureDigest, data, options, signer.signature);
  } catch {
    return false;
  }
}

async function verifyContent(key: KeyObject, signer: CmsSignerInfo, content: SignedContent): Promise<boolean> {
  const options = optionsOf(key, signer);
  if (options === undefined || signer.family === 'eddsa') return false;
  try {
    const check = createVerify(signer.signatureDigest);
    for await (const piece of content()) check.update(piece);
    return check.verify(options, signer.signature);
  } catch {
    return false;
  }
}

/** A key of another family than the signature's would be misread by it. */
function optionsOf(
  key: KeyObject,
  { family, saltLength }: SignatureFacts,
): KeyObject | { key: KeyObject; padding: number; saltLength?: number } | undefined {
  const type = key.asymmetricKeyType;
  if (family === 'rsa') return type === 'rsa' ? { key, padding: constants.RSA_PKCS1_PADDING } : undefined;
  if (family === 'rsa-pss')
    return type === 'rsa' || type === 'rsa-pss'
      ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, ...(saltLength === undefined ? {} : { saltLength }) }
      : undefined;
  if (family === 'ecdsa') return type === 'ec' ? key : undefined;
  if (family === 'dsa') return type === 'dsa' ? key : undefined;
  return type === 'ed25519' || type === 'ed448' ? key : undefined;
}

function equal(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.from(a).equals(b);
}
