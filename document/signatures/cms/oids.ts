/**
 * Object identifiers of CMS, its attributes and its algorithms (RFC 5652, RFC 5035, RFC 3161, RFC 8017, RFC 5758, RFC
 * 8419, ISO 32000-2, 12.8.3.3).
 */
export const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  revocationArchive: '1.2.840.113583.1.1.8',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  extendedKeyUsage: '2.5.29.37',
  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  mgf1: '1.2.840.113549.1.1.8',
  ecPublicKey: '1.2.840.10045.2.1',
  ed25519: '1.3.101.112',
  ed448: '1.3.101.113',
} as const;

/** Digest algorithms by their object identifiers (NIST, RFC 3279). */
export const digestOids = {
  md5: '1.2.840.113549.2.5',
  sha1: '1.3.14.3.2.26',
  ripemd160: '1.3.36.3.2.1',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  'sha3-224': '2.16.840.1.101.3.4.2.7',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
} as const;

/** Name of a digest as OpenSSL has it. */
export type DigestName = keyof typeof digestOids;

/** Kinds of keys that sign. */
export type KeyFamily = 'rsa' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'eddsa';

/** Signature algorithms that name their digest. */
export const signatureOids: Readonly<Record<string, { readonly family: KeyFamily; readonly digest: DigestName }>> = {
  '1.2.840.113549.1.1.4': { family: 'rsa', digest: 'md5' },
  '1.2.840.113549.1.1.5': { family: 'rsa', digest: 'sha1' },
  '1.2.840.113549.1.1.14': { family: 'rsa', digest: 'sha224' },
  '1.2.840.113549.1.1.11': { family: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { family: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { family: 'rsa', digest: 'sha512' },
  '2.16.840.1.101.3.4.3.13': { family: 'rsa', digest: 'sha3-224' },
  '2.16.840.1.101.3.4.3.14': { family: 'rsa', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { family: 'rsa', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { family: 'rsa', digest: 'sha3-512' },
  '1.2.840.10045.4.1': { family: 'ecdsa', digest: 'sha1' },
  '1.2.840.10045.4.3.1': { family: 'ecdsa', digest: 'sha224' },
  '1.2.840.10045.4.3.2': { family: 'ecdsa', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { family: 'ecdsa', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { family: 'ecdsa', digest: 'sha512' },
  '2.16.840.1.101.3.4.3.9': { family: 'ecdsa', digest: 'sha3-224' },
  '2.16.840.1.101.3.4.3.10': { family: 'ecdsa', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { family: 'ecdsa', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { family: 'ecdsa', digest: 'sha3-512' },
  '1.2.840.10040.4.3': { family: 'dsa', digest: 'sha1' },
  '2.16.840.1.101.3.4.3.1': { family: 'dsa', digest: 'sha224' },
  '2.16.840.1.101.3.4.3.2': { family: 'dsa', digest: 'sha256' },
  '2.16.840.1.101.3.4.3.3': { family: 'dsa', digest: 'sha384' },
  '2.16.840.1.101.3.4.3.4': { family: 'dsa', digest: 'sha512' },
};

/** The digest that an object identifier names. */
export function digestOfOid(oid: string): DigestName | undefined {
  return (Object.keys(digestOids) as DigestName[]).find((name) => digestOids[name] === oid);
}
