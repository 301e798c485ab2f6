import { type KeyObject, X509Certificate } from 'node:crypto';
import { type BaseBlock, BitString, Boolean as Asn1Boolean, ObjectIdentifier } from 'asn1js';
import { hasTag, inner, numberOf, octetsOf, oidOf, parseAsn1, rawOf } from '../asn1/read-asn1.js';
import { commonNameOf, distinguishedName } from './names.js';

/** Weaknesses of a certificate by current standards; callers decide about the consequences. */
export type CertificateWeakness = 'short key' | 'broken digest';

/** Facts from a certificate. Nothing here is verified. */
export interface CertificateFacts {
  /** RFC 2253. */
  readonly subject: string;
  /** RFC 2253. */
  readonly issuer: string;
  /** Of the subject. */
  readonly commonName: string | null;
  readonly issuerCommonName: string | null;
  /** Hexadecimal, lower case, without leading zeros. */
  readonly serialNumber: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** X.509 version: 1 to 3. */
  readonly version: number;
  /**
   * Of the issuer's signature, as `SHA256withRSA`, `SHA384withECDSA`, `RSASSA-PSS`, `Ed25519`; its object identifier
   * when unknown.
   */
  readonly signatureAlgorithm: string;
  readonly keyAlgorithm: 'RSA' | 'RSASSA-PSS' | 'EC' | 'DSA' | 'Ed25519' | 'Ed448' | 'other';
  /** Bits of an RSA modulus; 0 for other keys (`docs/interface/security.yml`, validate-signature). */
  readonly keySize: number;
  /** Name of an elliptic curve as OpenSSL has it. */
  readonly curve: string | null;
  /** Names of the contract, in its order; empty when the extension is absent. */
  readonly keyUsages: readonly string[];
  /** Object identifiers; null when the extension is absent, so that any use is allowed. */
  readonly extendedKeyUsages: readonly string[] | null;
  /** Basic constraints say that it is an authority. */
  readonly isAuthority: boolean;
  /** Issuer and subject are the same, and its own key made its signature. */
  readonly selfSigned: boolean;
  readonly weaknesses: readonly CertificateWeakness[];
  /** SHA-256 of the DER, hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** RFC 5280, 4.2.1.3, under the names of the contract. */
const keyUsageNames = [
  'Digital Signature',
  'Non-Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Signing',
  'CRL Signing',
  'Encipher Only',
  'Decipher Only',
] as const;
const signatureNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.2': 'MD2withRSA',
  '1.2.840.113549.1.1.4': 'MD5withRSA',
  '1.2.840.113549.1.1.5': 'SHA1withRSA',
  '1.3.14.3.2.29': 'SHA1withRSA',
  '1.2.840.113549.1.1.14': 'SHA224withRSA',
  '1.2.840.113549.1.1.11': 'SHA256withRSA',
  '1.2.840.113549.1.1.12': 'SHA384withRSA',
  '1.2.840.113549.1.1.13': 'SHA512withRSA',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '2.16.840.1.101.3.4.3.14': 'SHA3-256withRSA',
  '2.16.840.1.101.3.4.3.15': 'SHA3-384withRSA',
  '2.16.840.1.101.3.4.3.16': 'SHA3-512withRSA',
  '1.2.840.10045.4.1': 'SHA1withECDSA',
  '1.2.840.10045.4.3.1': 'SHA224withECDSA',
  '1.2.840.10045.4.3.2': 'SHA256withECDSA',
  '1.2.840.10045.4.3.3': 'SHA384withECDSA',
  '1.2.840.10045.4.3.4': 'SHA512withECDSA',
  '2.16.840.1.101.3.4.3.10': 'SHA3-256withECDSA',
  '2.16.840.1.101.3.4.3.11': 'SHA3-384withECDSA',
  '2.16.840.1.101.3.4.3.12': 'SHA3-512withECDSA',
  '1.2.840.10040.4.3': 'SHA1withDSA',
  '2.16.840.1.101.3.4.3.1': 'SHA224withDSA',
  '2.16.840.1.101.3.4.3.2': 'SHA256withDSA',
  '2.16.840.1.101.3.4.3.3': 'SHA384withDSA',
  '2.16.840.1.101.3.4.3.4': 'SHA512withDSA',
  '1.3.101.112': 'Ed25519',
  '1.3.101.113': 'Ed448',
};
const keyNames: Readonly<Record<string, CertificateFacts['keyAlgorithm']>> = {
  rsa: 'RSA',
  'rsa-pss': 'RSASSA-PSS',
  ec: 'EC',
  dsa: 'DSA',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
};

/** Reads the facts of a certificate in DER. Throws if it is invalid; `readCertificates` returns only readable ones. */
export function certificateFacts(der: Uint8Array): CertificateFacts {
  const x509 = new X509Certificate(der);
  const { version, signature, issuer, subject, extensions } = fieldsOf(der);
  const publicKey = readPublicKey(x509);
  const details = publicKey?.asymmetricKeyDetails ?? {};
  const signatureAlgorithm = signatureNames[signature] ?? signature;
  const isRsa = publicKey?.asymmetricKeyType?.startsWith('rsa') === true;
  return {
    subject: distinguishedName(subject),
    issuer: distinguishedName(issuer),
    commonName: commonNameOf(subject),
    issuerCommonName: commonNameOf(issuer),
    serialNumber: x509.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
    validFrom: new Date(x509.validFrom),
    validTo: new Date(x509.validTo),
    version,
    signatureAlgorithm,
    keyAlgorithm: keyNames[publicKey?.asymmetricKeyType ?? ''] ?? 'other',
    keySize: isRsa ? (details.modulusLength ?? 0) : 0,
    curve: details.namedCurve ?? null,
    keyUsages: keyUsagesOf(extensions.get('2.5.29.15')),
    extendedKeyUsages: extendedUsagesOf(extensions.get('2.5.29.37')),
    isAuthority: isAuthority(extensions.get('2.5.29.19')),
    selfSigned: isSelfSigned(x509, publicKey),
    weaknesses: [
      ...(isShort(publicKey) ? (['short key'] as const) : []),
      ...(/^(?:MD[25]|SHA1)with/.test(signatureAlgorithm) ? (['broken digest'] as const) : []),
    ],
    fingerprint: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

interface Fields {
  readonly version: number;
  /** Object identifier. */
  readonly signature: string;
  /** DER of the names. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Their values by object identifier. */
  readonly extensions: ReadonlyMap<string, Uint8Array>;
}

/** RFC 5280, 4.1. */
function fieldsOf(der: Uint8Array): Fields {
  const [toBeSigned, algorithm] = inner(parseAsn1(der));
  const fields = toBeSigned === undefined ? [] : inner(toBeSigned);
  const versionField = hasTag(fields[0], 0) ? inner(fields[0])[0] : undefined;
  const [, , issuer, , subject] = fields.slice(versionField === undefined ? 0 : 1);
  const list = fields.find((field) => hasTag(field, 3));
  if (algorithm === undefined || issuer === undefined || subject === undefined)
    throw new RangeError('not a certificate');
  return {
    version: versionField === undefined ? 1 : numberOf(versionField) + 1,
    signature: oidOf(inner(algorithm)[0]),
    issuer: rawOf(issuer),
    subject: rawOf(subject),
    extensions: new Map(
      (list === undefined ? [] : inner(list).flatMap(inner)).map((extension) => {
        const parts = inner(extension);
        return [oidOf(parts[0]), octetsOf(parts.at(-1))] as const;
      }),
    ),
  };
}

/** OpenSSL cannot read keys of unknown algorithms; the rest of the certificate is readable. */
function readPublicKey(x509: X509Certificate): KeyObject | undefined {
  try {
    return x509.publicKey;
  } catch {
    return undefined;
  }
}

function isSelfSigned(x509: X509Certificate, publicKey: KeyObject | undefined): boolean {
  try {
    return publicKey !== undefined && x509.subject === x509.issuer && x509.verify(publicKey);
  } catch {
    return false;
  }
}

/** Less than 112 bits of strength (NIST SP 800-57, table 2). */
function isShort(key: KeyObject | undefined): boolean {
  const { modulusLength, namedCurve } = key?.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return modulusLength < 2048;
  return namedCurve !== undefined && Number(/(\d{3})/.exec(namedCurve)?.[1] ?? 256) < 224;
}

function keyUsagesOf(extension: Uint8Array | undefined): readonly string[] {
  const bits = readable(extension);
  if (!(bits instanceof BitString)) return [];
  const bytes = bits.valueBlock.valueHexView;
  return keyUsageNames.filter((_, i) => ((bytes[i >> 3] ?? 0) & (0x80 >> (i & 7))) !== 0);
}

/** A list that cannot be read allows nothing. */
function extendedUsagesOf(extension: Uint8Array | undefined): readonly string[] | null {
  if (extension === undefined) return null;
  const list = readable(extension);
  return list === undefined
    ? []
    : inner(list).flatMap((usage) => (usage instanceof ObjectIdentifier ? [oidOf(usage)] : []));
}

/** Basic constraints (RFC 5280, 4.2.1.9); `cA` is false where it is left out. */
function isAuthority(extension: Uint8Array | undefined): boolean {
  const constraints = readable(extension);
  const [first] = constraints === undefined ? [] : inner(constraints);
  return first instanceof Asn1Boolean && first.getValue();
}

/** OpenSSL reads certificates with unreadable extensions, and so do we. */
function readable(extension: Uint8Array | undefined): BaseBlock | undefined {
  try {
    return extension === undefined ? undefined : parseAsn1(extension);
  } catch {
    return undefined;
  }
}
