import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { inner, parseAsn1, rawOf } from '../asn1/read-asn1.js';
import { UnusableKey } from './errors.js';
import { certificateFacts } from './facts.js';

/** Who signs: a private key, its certificate, and those above it. */
export interface SigningIdentity {
  readonly privateKey: KeyObject;
  /** DER of the certificate that belongs to the key. */
  readonly certificate: Uint8Array;
  /**
   * DER of the certificates above it, each the issuer of the one before, as far as they were sent; the root too where
   * it was.
   */
  readonly chain: readonly Uint8Array[];
  /** Its name in the keystore. */
  readonly alias?: string;
}

/** More certificates than this are looked at in no keystore and no bundle. */
export const MAX_CERTIFICATES = 200;
/** Signatures that are checked to find a chain. */
const MAX_VERIFICATIONS = 100;
const signing: readonly (string | undefined)[] = ['rsa', 'rsa-pss', 'ec', 'dsa', 'ed25519', 'ed448'];

/**
 * A key of PrivateKeyInfo in DER (RFC 5958). Throws UnusableKey for a key that OpenSSL cannot read or that cannot sign
 * (X25519, Diffie-Hellman).
 */
export function signingKeyOf(privateKeyInfo: Uint8Array): KeyObject {
  return checkedKey(() => createPrivateKey({ key: Buffer.from(privateKeyInfo), format: 'der', type: 'pkcs8' }));
}

/** Returns the key of `read`. Throws UnusableKey like `signingKeyOf`, without OpenSSL's own text. */
export function checkedKey(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw new UnusableKey('is damaged or of an unknown kind', { cause: error });
  }
  if (!signing.includes(key.asymmetricKeyType))
    throw new UnusableKey(`is for ${key.asymmetricKeyType ?? 'something else'}, which cannot sign`);
  return key;
}

/**
 * Returns the first certificate that matches the key, with its chain; undefined if none does. Invalid certificates are
 * skipped.
 */
export function identityOf(
  privateKey: KeyObject,
  certificates: readonly Uint8Array[],
  alias?: string,
): SigningIdentity | undefined {
  const read = certificates.slice(0, MAX_CERTIFICATES).flatMap((der) => {
    try {
      certificateFacts(der);
      return [{ der, x509: new X509Certificate(der) }];
    } catch {
      return [];
    }
  });
  const own = read.find(({ x509 }) => belongsTogether(x509, privateKey));
  if (own === undefined) return undefined;
  return {
    privateKey,
    certificate: own.der,
    chain: chainAbove(
      own.x509,
      read.map(({ x509 }) => x509),
    ),
    ...(alias === undefined ? {} : { alias }),
  };
}

/**
 * Returns the issuers above a certificate, nearest first, from certificates in any order; each must have signed the one
 * before. Of several valid chains the longest is returned. The search is limited; hostile input gives what was found
 * until then.
 */
function chainAbove(leaf: X509Certificate, heap: readonly X509Certificate[]): Uint8Array[] {
  const chain: X509Certificate[] = [];
  const used = new Set([leaf.fingerprint256]);
  const latestFirst = heap.toSorted((a, b) => Date.parse(b.validTo) - Date.parse(a.validTo));
  let left = MAX_VERIFICATIONS;
  for (let current = leaf; current.subject !== current.issuer;) {
    const issuer = latestFirst.find(
      (candidate) =>
        !used.has(candidate.fingerprint256) &&
        current.checkIssued(candidate) &&
        left-- > 0 &&
        isIssuerOf(candidate, current),
    );
    if (issuer === undefined) break;
    used.add(issuer.fingerprint256);
    chain.push(issuer);
    current = issuer;
  }
  return chain.map(({ raw }) => new Uint8Array(raw));
}

/** True when the issuer's name and key are those that signed the certificate. */
function isIssuerOf(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/**
 * True when the certificate's public key is that of the private key, also where one of them says RSA and the other
 * RSA-PSS.
 */
function belongsTogether(certificate: X509Certificate, privateKey: KeyObject): boolean {
  try {
    if (certificate.checkPrivateKey(privateKey)) return true;
    const { publicKey } = certificate;
    const isRsa = (type: string | undefined): boolean => type === 'rsa' || type === 'rsa-pss';
    if (!isRsa(publicKey.asymmetricKeyType) || !isRsa(privateKey.asymmetricKeyType)) return false;
    const info = privateKey.export({ format: 'der', type: 'pkcs8' });
    return (
      Buffer.compare(
        modulusOf(publicKey.export({ format: 'der', type: 'spki' }), 'public'),
        modulusOf(info, 'private'),
      ) === 0
    );
  } catch {
    return false;
  }
}

/** The INTEGER of an RSA key's modulus: of SubjectPublicKeyInfo, or of PrivateKeyInfo (RFC 8017, appendix A.1). */
function modulusOf(der: Uint8Array, kind: 'public' | 'private'): Uint8Array {
  const fields = inner(parseAsn1(der));
  const holder = fields[kind === 'public' ? 1 : 2];
  if (holder === undefined) throw new RangeError('no key');
  // BIT STRING or OCTET STRING, whose bytes are the key itself.
  const { valueHexView } = holder.valueBlock as unknown as { readonly valueHexView: Uint8Array };
  const [first, second] = inner(parseAsn1(valueHexView));
  const modulus = kind === 'public' ? first : second;
  if (modulus === undefined) throw new RangeError('no modulus');
  return rawOf(modulus);
}
