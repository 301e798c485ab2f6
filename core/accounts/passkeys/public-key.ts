import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** Parameters of a COSE key by label (RFC 9052, 7; RFC 9053, 7; RFC 8230, 4). */
export type CoseKey = ReadonlyMap<number, unknown>;

/** Signature algorithms that passkeys may use: Ed25519, ES256 and RS256 (IANA COSE Algorithms), best first. */
export const algorithms = [-8, -7, -257] as const;

const LEAST_RSA_BITS = 2048;
const MOST_RSA_BITS = 4096;

/** Returns whether signatures can be verified with this key: a point on its curve, or an RSA key of usual size. */
export function isUsableKey(key: CoseKey): boolean {
  try {
    const { asymmetricKeyDetails } = publicKeyOf(key);
    const bits = asymmetricKeyDetails?.modulusLength;
    return bits === undefined || (bits >= LEAST_RSA_BITS && bits <= MOST_RSA_BITS);
  } catch {
    return false;
  }
}

function publicKeyOf(key: CoseKey): KeyObject {
  const bytes = (label: number): string => {
    const value = key.get(label);
    if (!(value instanceof Uint8Array)) throw new TypeError(`parameter ${label} of the key is not a byte string`);
    return Buffer.from(value).toString('base64url');
  };
  // By key type, algorithm and curve: a mixture of them is refused.
  const kind = [key.get(1), key.get(3), key.get(-1)].map((value) => (typeof value === 'number' ? value : 0)).join();
  const jwk: JsonWebKey | undefined =
    kind === '1,-8,6'
      ? { kty: 'OKP', crv: 'Ed25519', x: bytes(-2) }
      : kind === '2,-7,1'
        ? { kty: 'EC', crv: 'P-256', x: bytes(-2), y: bytes(-3) }
        : kind === '3,-257,0'
          ? { kty: 'RSA', n: bytes(-1), e: bytes(-2) }
          : undefined;
  if (jwk === undefined) throw new TypeError(`keys of the kind ${kind} are not supported`);
  return createPublicKey({ key: jwk, format: 'jwk' });
}
