import { X509Certificate } from 'node:crypto';
import { type CertificateFields, toBeSigned } from './certificate-fields.js';
import { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';
import { generalNames, nameKey } from './names.js';

/** Extensions of certificates and lists (RFC 5280, 4.2, 5.2; RFC 6960, 4.2.2.2.1). */
export const extensionOids = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  freshestCrl: '2.5.29.46',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
} as const;
/** Extended key usages (RFC 5280, 4.2.1.12; RFC 3161; RFC 6960). */
export const keyPurposes = {
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  anyPurpose: '2.5.29.37.0',
} as const;
/** Bits of keyUsage (RFC 5280, 4.2.1.3). */
export const keyUsageBits = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const;

/** Addresses that more than these are not looked at, of one kind in one certificate. */
const MAX_ADDRESSES = 3;

/**
 * A certificate with what building and checking a path asks of it. Extensions are read when asked for; what is
 * malformed throws RangeError then.
 */
export interface PathCertificate extends CertificateFields {
  readonly der: Uint8Array;
  readonly x509: X509Certificate;
  readonly fingerprint: string;
  readonly subjectKey: string;
  readonly issuerKey: string;
  readonly selfIssued: boolean;
  /** For sentences: the common name, or what there is. */
  readonly label: string;
}

/** Reads a certificate; undefined if it is invalid. OpenSSL must be able to read it too. */
export function readPathCertificate(der: Uint8Array): PathCertificate | undefined {
  try {
    const own = new Uint8Array(der);
    const fields = toBeSigned(Der.whole(own));
    const x509 = new X509Certificate(own);
    const subjectKey = nameKey(fields.subject);
    const issuerKey = nameKey(fields.issuer);
    return {
      ...fields,
      der: own,
      x509,
      fingerprint: x509.fingerprint256,
      subjectKey,
      issuerKey,
      selfIssued: subjectKey === issuerKey,
      label: labelOf(x509.subject),
    };
  } catch {
    return undefined;
  }
}

/** The value of an extension; undefined when it is absent. */
export function extension({ extensions }: Pick<PathCertificate, 'extensions'>, oid: string): Der | undefined {
  const found = extensions.get(oid);
  return found === undefined ? undefined : Der.whole(found.value);
}

/** Basic constraints; undefined when absent. */
export function basicConstraints(
  certificate: Pick<PathCertificate, 'extensions'>,
): { readonly authority: boolean; readonly pathLength?: number } | undefined {
  const value = extension(certificate, extensionOids.basicConstraints);
  if (value === undefined) return undefined;
  const fields = value.inner();
  const authority = fields[0]?.tag === tags.boolean && fields[0].content[0] !== 0;
  const length = fields.find(({ tag }) => tag === tags.integer);
  return { authority, ...(length === undefined ? {} : { pathLength: length.number() }) };
}

/** True if the key may be used this way: the bit is set, or there is no key usage. */
export function mayBeUsed(certificate: PathCertificate, bit: number): boolean {
  return extension(certificate, extensionOids.keyUsage)?.as(tags.bits).bit(bit) ?? true;
}

/** Extended key usages; undefined when the extension is absent, so that any is allowed. */
export function extendedKeyUsages(
  certificate: PathCertificate,
): { readonly critical: boolean; readonly purposes: readonly string[] } | undefined {
  const found = certificate.extensions.get(extensionOids.extendedKeyUsage);
  return found === undefined
    ? undefined
    : {
        critical: found.critical,
        purposes: Der.whole(found.value)
          .inner()
          .map((purpose) => purpose.oid()),
      };
}

/**
 * Addresses of authority information access over HTTP: the OCSP responder, or the issuer's certificates (RFC 5280,
 * 4.2.2.1).
 */
export function accessAddresses(certificate: PathCertificate, method: 'ocsp' | 'issuers'): string[] {
  const wanted = method === 'ocsp' ? '1.3.6.1.5.5.7.48.1' : '1.3.6.1.5.5.7.48.2';
  return lenient(() =>
    (extension(certificate, extensionOids.authorityInfoAccess)?.inner() ?? []).flatMap((access) => {
      const [name, location] = access.inner();
      return name?.oid() === wanted && location !== undefined ? uriOf(location) : [];
    }),
  ).slice(0, MAX_ADDRESSES);
}

/** Address of a CRL for the certificate. */
export interface DistributionPoint {
  /** General names, DER. */
  readonly names: readonly Uint8Array[];
  readonly addresses: readonly string[];
  /** The list is issued by another authority (indirect), or for some reasons only. */
  readonly special: boolean;
}

/** Addresses of lists for the certificate or, for a list, of its deltas (RFC 5280, 4.2.1.13). */
export function distributionPoints(
  holder: Pick<PathCertificate, 'extensions'>,
  oid: string = extensionOids.crlDistributionPoints,
): DistributionPoint[] {
  return lenient(() =>
    (extension(holder, oid)?.inner() ?? []).map((point) => {
      const parts = point.inner();
      const full =
        parts
          .find(({ tag }) => tag === 0xa0)
          ?.inner(0xa0)
          .find(({ tag }) => tag === 0xa0)
          ?.inner(0xa0) ?? [];
      return {
        names: full.map(({ raw }) => raw),
        addresses: full.flatMap(uriOf).slice(0, MAX_ADDRESSES),
        special: parts.some(({ tag }) => tag === 0x81 || tag === 0xa2),
      };
    }),
  );
}

/** Addresses are hints: unreadable ones are ignored. */
function lenient<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function uriOf({ tag, content }: Der): string[] {
  const text = tag === generalNames.uri ? Buffer.from(content).toString('latin1').trim() : '';
  return /^https?:\/\//i.test(text) && text.length <= 2048 ? [text] : [];
}

/** Texts of a certificate come from anybody: one line, not long. */
function labelOf(subject: string | undefined): string {
  const lines = (subject ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const name = lines.findLast((line) => line.startsWith('CN='))?.slice(3) ?? lines.at(-1) ?? 'without a name';
  const clean = name.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return clean.length > 100 ? `${clean.slice(0, 100)}…` : clean;
}

/** True if basic constraints declare a certificate an authority; false for an invalid certificate. */
export function isAuthority(der: Uint8Array): boolean {
  try {
    return basicConstraints(toBeSigned(Der.whole(der)))?.authority === true;
  } catch {
    return false;
  }
}
