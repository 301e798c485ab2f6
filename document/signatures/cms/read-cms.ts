import type { BaseBlock } from 'asn1js';
import { hasTag, inner, rawOf, readElement } from '../asn1/read-asn1.js';
import { toDer } from '../asn1/to-der.js';
import { digestOfOid, type DigestName, type KeyFamily, oids, signatureOids } from './oids.js';

/** A fault of a CMS; the message is a sentence without its full stop. */
export class CmsFault extends Error {
  override readonly name = 'CmsFault';
}

/** One signer of a CMS, as written. */
export interface CmsSignerInfo {
  readonly digest: DigestName;
  readonly family: KeyFamily;
  /** Digest of the signature itself; of RSA-PSS also that of its mask generation. */
  readonly signatureDigest: DigestName;
  readonly saltLength?: number;
  readonly signature: Uint8Array;
  /** DER of the signed attributes as a SET, which is what is signed (RFC 5652, 5.4); absent when the content is. */
  readonly signedAttributes?: Uint8Array;
  /** The same as it is written, where that is not DER: some writers sign this. */
  readonly writtenAttributes?: Uint8Array;
  /** Content type in the signed attributes. */
  readonly contentType?: string;
  readonly messageDigest?: Uint8Array;
  /** Claimed. */
  readonly signingTime?: Date;
  /** Hash of the signer's certificate in signing-certificate(-v2). */
  readonly certificateHash?: { readonly digest: DigestName; readonly hash: Uint8Array };
  /** Time stamp token in the unsigned attributes, DER of its ContentInfo. */
  readonly timeStampToken?: Uint8Array;
  /** OCSP responses and lists of adbe-revocationInfoArchival, DER. */
  readonly archive: { readonly ocsp: readonly Uint8Array[]; readonly crl: readonly Uint8Array[] };
  /** True when the certificate of the CMS is the one that this signer means. */
  matches(certificate: Uint8Array): boolean;
}

/** A SignedData (RFC 5652). */
export interface CmsSignedData {
  readonly contentType: string;
  /** The content within; absent in a detached signature. */
  readonly content?: Uint8Array;
  /** DER of the X.509 certificates. */
  readonly certificates: readonly Uint8Array[];
  /** DER of revocation lists. */
  readonly crls: readonly Uint8Array[];
  readonly signers: readonly CmsSignerInfo[];
  /** Bytes of the CMS itself; what follows is padding. */
  readonly length: number;
  /** True when other bytes than zeros follow, which no reader looks at. */
  readonly trailing: boolean;
}

/** More certificates or signers than any signature has. */
const MAX_ITEMS = 1000;

/**
 * Reads a SignedData in DER or BER; what follows it is padding (ISO 32000-2, 12.8.1), of any bytes, as other verifiers
 * judge: it cannot change what the signature says. Throws CmsFault.
 */
export async function readCms(bytes: Uint8Array): Promise<CmsSignedData> {
  const read = readElement(bytes);
  if (read === undefined) throw new CmsFault('the signature is not readable ASN.1');
  const { block: result, length: offset } = read;
  const [type, wrapper] = inner(result);
  if (type === undefined || oidOf(type) !== oids.signedData || !hasTag(wrapper, 0))
    throw new CmsFault('the signature is not a CMS SignedData');
  const [data] = inner(wrapper);
  const fields = data === undefined ? [] : inner(data);
  const [, , encapsulated, ...rest] = fields;
  const signers = rest.at(-1);
  if (encapsulated === undefined || signers === undefined || !isUniversal(signers, 17))
    throw new CmsFault('the signature is an incomplete SignedData');
  const [contentType, contentWrapper] = inner(encapsulated);
  const certificates = rest.filter((block) => hasTag(block, 0)).flatMap((block) => inner(block));
  const crls = rest.filter((block) => hasTag(block, 1)).flatMap((block) => inner(block));
  const infos = inner(signers);
  if (certificates.length > MAX_ITEMS || crls.length > MAX_ITEMS || infos.length > MAX_ITEMS)
    throw new CmsFault(`the signature holds more than ${MAX_ITEMS} certificates or signers`);
  const content = hasTag(contentWrapper, 0) ? octetsOf(inner(contentWrapper)[0]) : undefined;
  return {
    contentType: contentType === undefined ? '' : (oidOf(contentType) ?? ''),
    ...(content === undefined ? {} : { content }),
    length: offset,
    trailing: bytes.subarray(offset).some((byte) => byte !== 0),
    // Other kinds of certificates have tags (RFC 5652, 10.2.2).
    certificates: certificates.filter((block) => isUniversal(block, 16)).map(rawOf),
    crls: crls.filter((block) => isUniversal(block, 16)).map(rawOf),
    signers: infos.map((info) => readSigner(info)),
  };
}

function readSigner(info: BaseBlock): CmsSignerInfo {
  const [, sid, digestAlgorithm, ...rest] = inner(info);
  const signed = hasTag(rest[0], 0) ? rest.shift() : undefined;
  const [signatureAlgorithm, signature, unsigned] = rest;
  if (sid === undefined || digestAlgorithm === undefined || signatureAlgorithm === undefined || signature === undefined)
    throw new CmsFault('the signature has an incomplete signer');
  const digestOid = oidOf(inner(digestAlgorithm)[0]) ?? '';
  // Some writers name the whole signature algorithm where the digest belongs.
  const digest = digestOfOid(digestOid) ?? signatureOids[digestOid]?.digest;
  if (digest === undefined) throw new CmsFault(`the digest algorithm ${digestOid} is unknown`);
  const value = octetsOf(signature);
  if (value === undefined) throw new CmsFault('the signature has no value');
  const bytes = attributeBytes(signed);
  // Read from the bytes that are verified, so that no other reading of BER can say something else.
  const attributes = attributesOf(
    bytes.signedAttributes === undefined ? undefined : readElement(bytes.signedAttributes)?.block,
  );
  if (signed !== undefined && new Set(attributes.map(({ type }) => type)).size !== attributes.length)
    throw new CmsFault('a signed attribute occurs twice');
  const one = (type: string): BaseBlock | undefined => {
    const found = attributes.find((attribute) => attribute.type === type)?.values;
    if (found !== undefined && found.length !== 1) throw new CmsFault('a signed attribute has no single value');
    return found?.[0];
  };
  const contentType = oidOf(one(oids.contentType));
  const messageDigest = octetsOf(one(oids.messageDigest));
  const signingTime = timeOf(one(oids.signingTime));
  const certificateHash =
    hashOf(one(oids.signingCertificateV2), 'sha256') ?? hashOf(one(oids.signingCertificate), 'sha1');
  const token = attributesOf(hasTag(unsigned, 1) ? unsigned : undefined).find(
    ({ type }) => type === oids.timeStampToken,
  )?.values[0];
  return {
    digest,
    signature: value,
    ...algorithmOf(signatureAlgorithm, digest),
    ...bytes,
    ...(contentType === undefined ? {} : { contentType }),
    ...(messageDigest === undefined ? {} : { messageDigest }),
    ...(signingTime === undefined ? {} : { signingTime }),
    ...(certificateHash === undefined ? {} : { certificateHash }),
    ...(token === undefined ? {} : { timeStampToken: rawOf(token) }),
    archive: archiveOf(one(oids.revocationArchive)),
    matches: (certificate) => meansCertificate(sid, certificate),
  };
}

function attributesOf(
  block: BaseBlock | undefined,
): { readonly type: string; readonly values: readonly BaseBlock[] }[] {
  return block === undefined
    ? []
    : inner(block).map((attribute) => {
        const [type, values] = inner(attribute);
        return { type: oidOf(type) ?? '', values: values === undefined ? [] : inner(values) };
      });
}

/** The bytes that are signed: a SET instead of the implicit tag, in DER even if the CMS is not (RFC 5652, 5.4). */
function attributeBytes(block: BaseBlock | undefined): Pick<CmsSignerInfo, 'signedAttributes' | 'writtenAttributes'> {
  if (block === undefined) return {};
  const writtenAttributes = new Uint8Array([0x31, ...rawOf(block).subarray(1)]);
  try {
    const signedAttributes = toDer(writtenAttributes);
    const same = Buffer.from(signedAttributes).equals(writtenAttributes);
    return { signedAttributes, ...(same ? {} : { writtenAttributes }) };
  } catch {
    throw new CmsFault('the signed attributes are not readable ASN.1');
  }
}

function algorithmOf(
  block: BaseBlock,
  digest: DigestName,
): Pick<CmsSignerInfo, 'family' | 'signatureDigest' | 'saltLength'> {
  const [name, parameters] = inner(block);
  const oid = oidOf(name) ?? '';
  if (oid === oids.rsa) return { family: 'rsa', signatureDigest: digest };
  if (oid === oids.ecPublicKey) return { family: 'ecdsa', signatureDigest: digest };
  if (oid === '1.2.840.10040.4.1') return { family: 'dsa', signatureDigest: digest };
  if (oid === oids.ed25519 || oid === oids.ed448) return { family: 'eddsa', signatureDigest: digest };
  if (oid === oids.rsaPss) return { family: 'rsa-pss', ...pssOf(parameters) };
  const known = signatureOids[oid];
  if (known === undefined) throw new CmsFault(`the signature algorithm ${oid} is unknown`);
  return { family: known.family, signatureDigest: known.digest };
}

/** RSASSA-PSS-params (RFC 4055, 3.1); absent members have defaults. OpenSSL takes one digest for both. */
function pssOf(parameters: BaseBlock | undefined): Pick<CmsSignerInfo, 'signatureDigest' | 'saltLength'> {
  const fields = parameters === undefined ? [] : inner(parameters);
  const field = (number: number): BaseBlock | undefined => {
    const found = fields.find((block) => hasTag(block, number));
    return found === undefined ? undefined : inner(found)[0];
  };
  const named = (block: BaseBlock | undefined): DigestName | undefined =>
    block === undefined ? 'sha1' : digestOfOid(oidOf(inner(block)[0]) ?? '');
  const digest = named(field(0));
  const mask = field(1);
  const maskDigest = mask === undefined ? 'sha1' : named(inner(mask)[1]);
  if (digest === undefined || digest !== maskDigest)
    throw new CmsFault('the parameters of RSA-PSS name digests that are unknown or differ');
  const salt = field(2);
  return {
    signatureDigest: digest,
    saltLength:
      salt === undefined ? 20 : Number((salt as { valueBlock: { valueDec?: number } }).valueBlock.valueDec ?? 20),
  };
}

/** ESSCertID or ESSCertIDv2 (RFC 2634, 5.4; RFC 5035, 4). */
function hashOf(block: BaseBlock | undefined, fallback: DigestName): CmsSignerInfo['certificateHash'] {
  const [list] = block === undefined ? [] : inner(block);
  const [first] = list === undefined ? [] : inner(list);
  const [head, next] = first === undefined ? [] : inner(first);
  if (head === undefined) return undefined;
  const named = isUniversal(head, 16) ? digestOfOid(oidOf(inner(head)[0]) ?? '') : fallback;
  const hash = octetsOf(isUniversal(head, 16) ? next : head);
  return named === undefined || hash === undefined ? undefined : { digest: named, hash };
}

/** RevocationInfoArchival (ISO 32000-2, 12.8.3.3.2). */
function archiveOf(block: BaseBlock | undefined): CmsSignerInfo['archive'] {
  const lists = block === undefined ? [] : inner(block);
  const of = (number: number): readonly Uint8Array[] =>
    lists
      .filter((list) => hasTag(list, number))
      .flatMap((list) => inner(list))
      .flatMap((sequence) => inner(sequence))
      .map(rawOf);
  return { crl: of(0), ocsp: of(1) };
}

function meansCertificate(sid: BaseBlock, certificate: Uint8Array): boolean {
  const read = readElement(certificate);
  if (read === undefined) return false;
  const result = read.block;
  const [toBeSigned] = inner(result);
  const fields = toBeSigned === undefined ? [] : inner(toBeSigned);
  if (hasTag(sid, 0)) {
    const wanted = octetsOf(sid) ?? (sid as { valueBlock: { valueHexView?: Uint8Array } }).valueBlock.valueHexView;
    return wanted !== undefined && Buffer.from(rawOf(result)).includes(Buffer.from([0x04, wanted.length, ...wanted]));
  }
  const [serial, , issuer] = fields.slice(fields[0]?.idBlock.tagClass === 3 ? 1 : 0);
  const [wantedIssuer, wantedSerial] = inner(sid);
  if (serial === undefined || issuer === undefined || wantedIssuer === undefined || wantedSerial === undefined)
    return false;
  return sameValue(serial, wantedSerial) && sameValue(issuer, wantedIssuer);
}

/** True for the same value, in whatever form of BER both are written. */
function sameValue(one: BaseBlock, other: BaseBlock): boolean {
  const [a, b] = [rawOf(one), rawOf(other)];
  if (Buffer.from(a).equals(b)) return true;
  try {
    return Buffer.from(toDer(a)).equals(toDer(b));
  } catch {
    return false;
  }
}

function isUniversal(block: BaseBlock, number: number): boolean {
  return block.idBlock.tagClass === 1 && block.idBlock.tagNumber === number;
}

function oidOf(block: BaseBlock | undefined): string | undefined {
  return block !== undefined && isUniversal(block, 6)
    ? String((block as { valueBlock: { toString(): string } }).valueBlock)
    : undefined;
}

/** The bytes of an OCTET STRING, also of one that was written in pieces. */
function octetsOf(block: BaseBlock | undefined): Uint8Array | undefined {
  if (block === undefined) return undefined;
  const pieces = inner(block);
  if (pieces.length > 0 && pieces.every((piece) => isUniversal(piece, 4)))
    return new Uint8Array(Buffer.concat(pieces.map((piece) => octetsOf(piece) ?? new Uint8Array())));
  const { valueHexView } = block.valueBlock as { readonly valueHexView?: Uint8Array };
  return isUniversal(block, 4) || hasTag(block, 0)
    ? valueHexView === undefined
      ? undefined
      : new Uint8Array(valueHexView)
    : undefined;
}

function timeOf(block: BaseBlock | undefined): Date | undefined {
  if (block === undefined || !('toDate' in block)) return undefined;
  const date = (block as BaseBlock & { toDate(): Date }).toDate();
  return Number.isNaN(date.getTime()) ? undefined : date;
}
