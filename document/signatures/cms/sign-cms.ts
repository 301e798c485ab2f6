import { createHash } from 'node:crypto';
import { inner, rawOf, readElement } from '../asn1/read-asn1.js';
import { element, integer, octets, oid, sequence, setOf, tagged } from '../asn1/write-der.js';
import { tags } from '../asn1/tags.js';
import { oids } from './oids.js';
import { digestIdentifier, schemeOf, signatureIdentifier, type SignatureScheme } from './schemes.js';

/** Who signs. The key itself may lie elsewhere: only `sign` is asked. */
export interface CmsSigner {
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER of the certificates above it, as far as they are known. */
  readonly chain: readonly Uint8Array[];
  /** Signs bytes as the scheme says. */
  sign(data: Uint8Array, scheme: SignatureScheme): Uint8Array | Promise<Uint8Array>;
}

/** The content to sign, and how. */
export interface CmsRequest {
  readonly signer: CmsSigner;
  readonly scheme: SignatureScheme;
  /** Digest of the content with the scheme's digest. */
  readonly digest: Uint8Array;
  /** Claimed time as a signed attribute. PAdES has it in the signature dictionary instead (ETSI EN 319 142-1, 5.3). */
  readonly signingTime?: Date;
  /** Gives a time stamp token (RFC 3161) of these bytes' digest, for the unsigned attributes (RFC 3161, appendix A). */
  readonly timeStamp?: (signature: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Makes a detached CMS signature (RFC 5652) with the signed attributes of CAdES and PAdES baseline B-B: content type,
 * message digest and signing-certificate-v2 (RFC 5035); with `timeStamp`, of B-T. Rejects with what `sign` and
 * `timeStamp` reject with, and RangeError for a key that cannot sign.
 */
export async function signCms({ signer, scheme, digest, signingTime, timeStamp }: CmsRequest): Promise<Uint8Array> {
  const { issuer, serial } = await issuerAndSerial(signer.certificate);
  const attributes = [
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.messageDigest, octets(digest)),
    attribute(oids.signingCertificateV2, signingCertificate(signer.certificate, scheme)),
    ...(signingTime === undefined ? [] : [attribute(oids.signingTime, timeOf(signingTime))]),
  ];
  // The signature covers the SET; the stored attributes have the implicit tag (RFC 5652, 5.4).
  const toBeSigned = setOf(...attributes);
  const signature = await signer.sign(toBeSigned, scheme);
  const token = await timeStamp?.(signature);
  const signerInfo = sequence(
    integer(1),
    sequence(issuer, serial),
    digestIdentifier(scheme.digest),
    new Uint8Array(Buffer.concat([Uint8Array.of(0xa0), toBeSigned.subarray(1)])),
    signatureIdentifier(scheme),
    octets(signature),
    ...(token === undefined ? [] : [tagged(1, attribute(oids.timeStampToken, token))]),
  );
  const certificates = distinct([signer.certificate, ...signer.chain]);
  return sequence(
    oid(oids.signedData),
    tagged(
      0,
      sequence(
        integer(1),
        setOf(digestIdentifier(scheme.digest)),
        sequence(oid(oids.data)),
        tagged(0, ...certificates.toSorted((a, b) => Buffer.compare(a, b))),
        setOf(signerInfo),
      ),
    ),
  );
}

/**
 * The scheme for a signer, and how many bytes its signature will need at most, time stamp included. Undefined for a key
 * that cannot sign.
 */
export function planCms(
  signer: Pick<CmsSigner, 'certificate' | 'chain'>,
  { pss, timeStampBytes = 0 }: { readonly pss?: boolean; readonly timeStampBytes?: number } = {},
): { readonly scheme: SignatureScheme; readonly size: number } | undefined {
  const scheme = schemeOf(signer.certificate, pss === undefined ? {} : { pss });
  if (scheme === undefined) return undefined;
  const certificates = distinct([signer.certificate, ...signer.chain]).reduce((sum, { length }) => sum + length, 0);
  // Attributes, identifiers, the issuer's name again and a signature of up to 16384 bits.
  return { scheme, size: certificates + signer.certificate.length + 2 * 1024 + 2 * 1024 + timeStampBytes };
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf(value));
}

/**
 * SigningCertificateV2 (RFC 5035, 3): binds the certificate, so that nobody can put another one of the same key in its
 * place.
 */
function signingCertificate(certificate: Uint8Array, { digest }: SignatureScheme): Uint8Array {
  const hash = octets(createHash(digest).update(certificate).digest());
  // SHA-256 is the default, which DER leaves out.
  return sequence(sequence(digest === 'sha256' ? sequence(hash) : sequence(digestIdentifier(digest), hash)));
}

/** Years to 2049 are UTCTime, later ones GeneralizedTime (RFC 5652, 11.3). */
function timeOf(date: Date): Uint8Array {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? element(tags.utcTime, Buffer.from(text.slice(2), 'latin1'))
    : element(tags.generalizedTime, Buffer.from(text, 'latin1'));
}

/** The bytes of both, as encoded in the certificate. */
async function issuerAndSerial(
  certificate: Uint8Array,
): Promise<{ readonly issuer: Uint8Array; readonly serial: Uint8Array }> {
  const read = readElement(certificate);
  const [toBeSigned] = read === undefined ? [] : inner(read.block);
  const fields = toBeSigned === undefined ? [] : inner(toBeSigned);
  const first = fields[0]?.idBlock.tagClass === 3 ? 1 : 0;
  const [serial, , issuer] = fields.slice(first);
  if (serial === undefined || issuer === undefined) throw new RangeError('not a certificate');
  return { issuer: rawOf(issuer), serial: rawOf(serial) };
}

function distinct(certificates: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(certificates.map((der) => [Buffer.from(der).toString('base64'), der])).values()];
}
