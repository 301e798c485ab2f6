import { constants, sign, X509Certificate, type KeyObject } from 'node:crypto';
import { element, integer, nothing, oid, sequence, tagged } from '../asn1/write-der.js';
import { digestOids, type DigestName, type KeyFamily, oids, signatureOids } from './oids.js';

/** How a signature is made: with which kind of key, over which digest. */
export interface SignatureScheme {
  readonly family: KeyFamily;
  /** Digest of the signed attributes, and of the document. */
  readonly digest: 'sha256' | 'sha384' | 'sha512';
}

/** Curves whose strength asks for more than SHA-256 (RFC 5480, 4). */
const STRONGER: Readonly<Record<string, SignatureScheme['digest']>> = {
  secp384r1: 'sha384',
  secp521r1: 'sha512',
  brainpoolP384r1: 'sha384',
  brainpoolP512r1: 'sha512',
};
const SALT_BYTES = { sha256: 32, sha384: 48, sha512: 64 } as const;

/**
 * The scheme of a certificate's key; `pss` asks for RSA-PSS where the key leaves the choice. Undefined for keys that
 * cannot sign so (X25519, Ed448).
 */
export function schemeOf(
  certificate: Uint8Array,
  { pss = false }: { readonly pss?: boolean } = {},
): SignatureScheme | undefined {
  const { publicKey } = new X509Certificate(certificate);
  switch (publicKey.asymmetricKeyType) {
    case 'rsa':
      return { family: pss ? 'rsa-pss' : 'rsa', digest: 'sha256' };
    case 'rsa-pss':
      return { family: 'rsa-pss', digest: pssDigest(publicKey) };
    case 'ec':
      return { family: 'ecdsa', digest: STRONGER[publicKey.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256' };
    case 'dsa':
      return { family: 'dsa', digest: 'sha256' };
    // RFC 8419, 3.1: the digest of the message is SHA-512 here.
    case 'ed25519':
      return { family: 'eddsa', digest: 'sha512' };
    default:
      return undefined;
  }
}

/** Signs bytes with a private key as the scheme says; OpenSSL does it. */
export function signWith(key: KeyObject, data: Uint8Array, { family, digest }: SignatureScheme): Uint8Array {
  if (family === 'eddsa') return sign(null, data, key);
  if (family === 'rsa-pss')
    return sign(digest, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: SALT_BYTES[digest] });
  return sign(digest, data, key);
}

/** AlgorithmIdentifier of a digest; parameters are absent (RFC 5754, 2). */
export function digestIdentifier(digest: DigestName): Uint8Array {
  return sequence(oid(digestOids[digest]));
}

/** AlgorithmIdentifier of a scheme. */
export function signatureIdentifier({ family, digest }: SignatureScheme): Uint8Array {
  if (family === 'eddsa') return sequence(oid(oids.ed25519));
  if (family === 'rsa-pss') {
    // RFC 4055, 3.1: digest, mask generation over the same digest, salt as long as it.
    return sequence(
      oid(oids.rsaPss),
      sequence(
        tagged(0, sequence(oid(digestOids[digest]), nothing())),
        tagged(1, sequence(oid(oids.mgf1), sequence(oid(digestOids[digest]), nothing()))),
        tagged(2, integer(SALT_BYTES[digest])),
      ),
    );
  }
  const [name] =
    Object.entries(signatureOids).find(([, known]) => known.family === family && known.digest === digest) ?? [];
  if (name === undefined) throw new RangeError(`no identifier of ${family} with ${digest}`);
  return sequence(oid(name), ...(family === 'rsa' ? [element(0x05)] : []));
}

/** A key that was made for one digest signs with no other. */
function pssDigest(key: KeyObject): SignatureScheme['digest'] {
  const bound = key.asymmetricKeyDetails?.hashAlgorithm;
  return bound === 'sha384' || bound === 'sha512' ? bound : 'sha256';
}
