import { createVerify, X509Certificate } from 'node:crypto';
import {
  type CmsSignedData,
  type CmsSignerInfo,
  CmsFault,
  type DigestName,
  digestOf,
  isTimeStampToken,
  readCms,
  readTimeStamp,
  type SignedContent,
  type TimeStamp,
  verifySigner,
} from './cms/index.js';
import { asByteString, elements, entry, resolve } from '../file/objects/index.js';
import type { LazyDocument } from '../file/reader/index.js';
import { bytesWithin } from './byte-ranges.js';
import type { DocumentSignature } from './read-signatures.js';

/** Whether a signature value fits the bytes that it covers. The signer's certificate is judged elsewhere. */
export interface Integrity {
  /** The digest in the signature is that of the covered bytes; false, too, where that cannot be told. */
  readonly digestMatches: boolean;
  /** The whole signature holds: digest, signature value, the rules of its kind. */
  readonly holds: boolean;
  /** Why it does not. */
  readonly fault?: string;
  /** True when nothing could be read, so that there is no signer to report. */
  readonly unreadable: boolean;
  /** Digest over the document. */
  readonly digest?: DigestName;
  /** DER of the signer's certificate (from the signature or the document), and of the others in the signature. */
  readonly certificate?: Uint8Array;
  readonly certificates: readonly Uint8Array[];
  /** Time of a document time stamp, or of the one on the signature where that one holds. */
  readonly stamp?: TimeStamp;
  /** Claimed. */
  readonly signingTime?: Date;
  /** OCSP responses and revocation lists within the signature, DER. */
  readonly evidence: { readonly ocsp: readonly Uint8Array[]; readonly crl: readonly Uint8Array[] };
  /** Notes about a signature that is valid, as sentences. */
  readonly warnings: readonly string[];
}

const NOTHING = {
  digestMatches: false,
  holds: false,
  certificates: [],
  evidence: { ocsp: [], crl: [] },
  warnings: [],
} as const;

/**
 * Checks one signature against the bytes that it covers (ISO 32000-2, 12.8.3), in pieces; the arithmetic is OpenSSL's.
 * `stored`: certificates of the document's security store, where the signer's may be alone (ETSI EN 319 142-1, 5.4.2).
 * Never throws for what the document holds.
 */
export async function checkIntegrity(
  lazy: LazyDocument,
  signature: DocumentSignature,
  stored: readonly Uint8Array[] = [],
): Promise<Integrity> {
  const { range, fault, subFilter } = signature;
  if (range === undefined) return { ...NOTHING, unreadable: true, fault: fault ?? 'the signature cannot be read' };
  const { byteRange, contents } = range;
  if (contents.every((byte) => byte === 0))
    return { ...NOTHING, unreadable: true, fault: 'the signature has no value: its place is empty' };
  const content: SignedContent = () => bytesWithin(lazy.windows, byteRange);
  try {
    switch (subFilter) {
      case 'ETSI.RFC3161':
        return await checkDocumentStamp(contents, content, stored);
      case 'adbe.x509.rsa_sha1':
        return await checkBareRsa(lazy, signature, contents, content);
      case 'adbe.pkcs7.detached':
      case 'ETSI.CAdES.detached':
      case 'adbe.pkcs7.sha1':
        return await checkCms(await readCms(contents), content, subFilter, stored);
      default:
        return {
          ...NOTHING,
          unreadable: true,
          fault:
            subFilter === undefined
              ? 'the signature does not say of which kind it is (SubFilter)'
              : `signatures of the kind ${subFilter.slice(0, 100)} are not known`,
        };
    }
  } catch (error) {
    if (error instanceof CmsFault) return { ...NOTHING, unreadable: true, fault: error.message };
    // Errors of OpenSSL and the ASN.1 parsers for data that is not a certificate or a known structure.
    if (error instanceof Error && (error.name === 'Error' || error instanceof RangeError || error instanceof TypeError))
      return { ...NOTHING, unreadable: true, fault: 'the signature holds what cannot be read' };
    throw error;
  }
}

async function checkCms(
  cms: CmsSignedData,
  content: SignedContent,
  subFilter: string,
  stored: readonly Uint8Array[],
): Promise<Integrity> {
  const signer = cms.signers.at(-1);
  if (signer === undefined) return { ...NOTHING, unreadable: true, fault: 'the signature has no signer' };
  if (isTimeStampToken(cms))
    return { ...NOTHING, unreadable: true, fault: 'the signature is a time stamp, which its SubFilter does not say' };
  const bySha1 = subFilter === 'adbe.pkcs7.sha1';
  const signed = bySha1 ? () => [cms.content ?? new Uint8Array()] : content;
  const verdict = await verifySigner(cms, signer, signed, { more: stored });
  // Here the CMS holds the document's SHA-1 digest (ISO 32000-1, 12.8.3.3.1).
  const contained =
    !bySha1 || (cms.content !== undefined && Buffer.from(await digestOf(content, 'sha1')).equals(cms.content));
  const digestMatches = verdict.digestMatches && contained;
  const fault = contained ? verdict.fault : 'the digest in the signature is not that of the document';
  const several =
    cms.signers.length > 1
      ? `the signature has ${cms.signers.length} signers, which a PDF must not have; the values are those of the last`
      : undefined;
  const stamped = await stampOn(signer, stored);
  const weak = new Set<DigestName>([...verdict.weak, ...(bySha1 ? (['sha1'] as const) : [])]);
  const shown = fault ?? several;
  return {
    digestMatches,
    holds: shown === undefined,
    unreadable: false,
    digest: bySha1 ? 'sha1' : signer.digest,
    certificates: cms.certificates,
    ...(shown === undefined ? {} : { fault: shown }),
    ...(verdict.certificate === undefined ? {} : { certificate: verdict.certificate }),
    ...(signer.signingTime === undefined ? {} : { signingTime: signer.signingTime }),
    ...(stamped.stamp === undefined ? {} : { stamp: stamped.stamp }),
    evidence: { ocsp: signer.archive.ocsp, crl: [...cms.crls, ...signer.archive.crl] },
    warnings: [
      ...weakness(weak),
      ...paddingOf(cms),
      ...(stamped.warning === undefined ? [] : [stamped.warning]),
      ...(cms.content !== undefined && !bySha1
        ? ['The signature holds content of its own, which no detached signature should']
        : []),
    ],
  };
}

/** The time stamp on a signature's value (RFC 3161, appendix A); one that does not hold says nothing. */
async function stampOn(
  { timeStampToken, signature }: CmsSignerInfo,
  stored: readonly Uint8Array[],
): Promise<{ readonly stamp?: TimeStamp; readonly warning?: string }> {
  if (timeStampToken === undefined) return {};
  try {
    const stamp = await readTimeStamp(timeStampToken, stored);
    if (stamp.fault !== undefined) return { warning: `The time stamp on the signature does not hold: ${stamp.fault}` };
    const hash = await digestOf(() => [signature], stamp.imprint.digest);
    return Buffer.from(hash).equals(stamp.imprint.hash)
      ? { stamp }
      : { warning: 'The time stamp on the signature is one of something else' };
  } catch {
    return { warning: 'The time stamp on the signature cannot be read' };
  }
}

async function checkDocumentStamp(
  token: Uint8Array,
  content: SignedContent,
  stored: readonly Uint8Array[],
): Promise<Integrity> {
  const stamp = await readTimeStamp(token, stored);
  const digestMatches = Buffer.from(await digestOf(content, stamp.imprint.digest)).equals(stamp.imprint.hash);
  if (!digestMatches) return { ...NOTHING, unreadable: true, fault: 'the time stamp does not match the document' };
  const {
    certificate,
    certificates,
    fault,
    imprint: { digest },
  } = stamp;
  return {
    digestMatches,
    holds: fault === undefined,
    unreadable: false,
    digest,
    stamp,
    certificates,
    evidence: { ocsp: [], crl: [] },
    warnings: [...weakness(new Set([digest])), ...paddingOf(stamp)],
    ...(certificate === undefined ? {} : { certificate }),
    ...(fault === undefined ? {} : { fault }),
  };
}

/** A PKCS#1 signature alone, its certificates beside it in the dictionary (ISO 32000-1, 12.8.3.2). */
async function checkBareRsa(
  { context }: LazyDocument,
  { dict }: DocumentSignature,
  contents: Uint8Array,
  content: SignedContent,
): Promise<Integrity> {
  const given = resolve(context, entry(dict, 'Cert'));
  const certificates = [given, ...elements(context, given)].flatMap((value) => {
    const bytes = asByteString(context, value);
    return bytes === undefined ? [] : new Uint8Array(Buffer.from(bytes, 'latin1'));
  });
  const [certificate] = certificates;
  const value = octetString(contents);
  if (certificate === undefined || value === undefined)
    return {
      ...NOTHING,
      unreadable: true,
      fault: certificate === undefined ? 'the signature has no certificate' : 'the signature is not readable ASN.1',
    };
  const key = new X509Certificate(certificate).publicKey;
  if (key.asymmetricKeyType !== 'rsa')
    return { ...NOTHING, unreadable: true, fault: 'the certificate of the signature has no RSA key' };
  const checks = (['sha1', 'sha256', 'sha384', 'sha512', 'md5'] as const).map((digest) => ({
    digest,
    check: createVerify(digest),
  }));
  for await (const piece of content()) for (const { check } of checks) check.update(piece);
  const digest = checks.find(({ check }) => check.verify(key, value))?.digest;
  const holds = digest !== undefined;
  return {
    digestMatches: holds,
    holds,
    unreadable: false,
    certificate,
    certificates,
    evidence: { ocsp: [], crl: [] },
    warnings: weakness(new Set(digest === undefined ? [] : [digest])),
    ...(digest === undefined ? { fault: 'the signature does not match the document' } : { digest }),
  };
}

/** The bytes of a DER OCTET STRING at the beginning of a padded value. */
function octetString(bytes: Uint8Array): Uint8Array | undefined {
  const [tag, first = 0] = bytes;
  if (tag !== 0x04) return undefined;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4) return undefined;
  const length = count === 0 ? first : bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
  const value = bytes.subarray(2 + count, 2 + count + length);
  return value.length === length && bytes.subarray(2 + count + length).every((byte) => byte === 0) ? value : undefined;
}

function paddingOf({ trailing }: { readonly trailing: boolean }): string[] {
  return trailing ? ['Other bytes than zeros follow the signature in its place; they are not part of it'] : [];
}

function weakness(digests: ReadonlySet<DigestName>): string[] {
  const names = [...digests]
    .filter((digest) => digest === 'md5' || digest === 'sha1')
    .map((digest) => (digest === 'md5' ? 'MD5' : 'SHA-1'));
  return names.length === 0
    ? []
    : [
        `The signature is made with ${names.join(' and ')}, which no longer protects against documents made to ` +
          'have the same digest',
      ];
}
