import type { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';

/** The fields of a TBSCertificate (RFC 5280, 4.1) as they are written. */
export interface CertificateFields {
  /** 1 to 3. */
  readonly version: number;
  readonly serial: Der;
  readonly issuer: Der;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly subject: Der;
  readonly publicKeyInfo: Der;
  readonly signatureAlgorithm: Der;
  readonly extensions: ReadonlyMap<string, Extension>;
}

/** An extension: its value is DER. */
export interface Extension {
  readonly critical: boolean;
  readonly value: Uint8Array;
}

/** Parses the fields of a certificate. Throws RangeError. */
export function toBeSigned(certificate: Der): CertificateFields {
  const [body] = certificate.inner();
  if (body === undefined) throw new RangeError('a certificate is empty');
  const fields = body.inner();
  const version = fields[0]?.tag === 0xa0 ? (fields.shift()?.inner(0xa0)[0]?.number() ?? 0) + 1 : 1;
  const [serial, signatureAlgorithm, issuer, validity, subject, publicKeyInfo, ...rest] = fields;
  const [notBefore, notAfter] = validity?.inner() ?? [];
  if (
    serial === undefined ||
    signatureAlgorithm === undefined ||
    issuer === undefined ||
    notBefore === undefined ||
    notAfter === undefined ||
    subject === undefined ||
    publicKeyInfo === undefined
  )
    throw new RangeError('a certificate is incomplete');
  const list = rest.find(({ tag }) => tag === 0xa3)?.inner(0xa3)[0];
  return {
    version,
    serial,
    signatureAlgorithm,
    issuer,
    notBefore: notBefore.time(),
    notAfter: notAfter.time(),
    subject,
    publicKeyInfo,
    extensions: extensionsOf(list),
  };
}

/** Extensions by their object identifiers. Throws RangeError, also for one that is there twice (RFC 5280, 4.2). */
export function extensionsOf(list: Der | undefined): ReadonlyMap<string, Extension> {
  const found = new Map<string, Extension>();
  for (const extension of list?.as(tags.sequence) ?? []) {
    const [name, ...rest] = extension.inner();
    const value = rest.at(-1);
    if (name === undefined || value === undefined) throw new RangeError('an extension is incomplete');
    const oid = name.oid();
    if (found.has(oid)) throw new RangeError(`the extension ${oid} is there twice`);
    found.set(oid, {
      critical: rest.length > 1 && rest[0]?.as(tags.boolean).content[0] !== 0,
      value: value.as(tags.octets).content,
    });
  }
  return found;
}
