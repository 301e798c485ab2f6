import { createHash } from 'node:crypto';

/** The padding string of ISO 32000-1, 7.6.3.3, algorithm 2. */
const padding = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');

/**
 * Values for an encryption dictionary with the standard handler, revision 2 (40-bit RC4), and the cipher for one
 * object.
 */
export interface StandardSecurity {
  readonly owner: string;
  readonly user: string;
  readonly permissions: number;
  encrypt(objectNumber: number, bytes: Uint8Array): Buffer;
}

/**
 * Builds revision 2 security for a user password (ISO 32000-1, 7.6.3, algorithms 1 to 4). Only for encrypted fixtures:
 * this cipher protects nothing.
 */
export function standardSecurity(password: string, fileId: Buffer): StandardSecurity {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const permissions = -4;
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const key = md5(Buffer.concat([padded, owner, flags, fileId])).subarray(0, 5);
  return {
    owner: owner.toString('hex'),
    user: rc4(key, padding).toString('hex'),
    permissions,
    encrypt(objectNumber, bytes) {
      const salt = Buffer.from([objectNumber & 255, (objectNumber >> 8) & 255, (objectNumber >> 16) & 255, 0, 0]);
      return rc4(md5(Buffer.concat([key, salt])).subarray(0, 10), bytes);
    },
  };
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** RC4, which OpenSSL 3 no longer offers and an encrypted fixture needs. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const at = (i: number): number => state[i & 255] ?? 0;
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    [state[i], state[j]] = [at(j), at(i)];
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      [state[i], state[j]] = [at(j), at(i)];
      return byte ^ at(at(i) + at(j));
    }),
  );
}
