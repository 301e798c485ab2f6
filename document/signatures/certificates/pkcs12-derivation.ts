import { createHash } from 'node:crypto';
import { Unreadable } from './errors.js';
import type { Rounds } from './rounds.js';

/** Purpose of the derived bytes (RFC 7292, appendix B.3). */
export const derivedFor = { key: 1, iv: 2, mac: 3 } as const;

/** Digests and the length of their blocks. */
const BLOCK: Readonly<Record<string, number>> = {
  md5: 64,
  sha1: 64,
  sha224: 64,
  sha256: 64,
  sha384: 128,
  sha512: 128,
  'sha512-224': 128,
  'sha512-256': 128,
};

/**
 * PKCS#12's own key derivation (RFC 7292, appendix B.2). `password` is in its wide form. Throws Unreadable beyond the
 * rounds that are left.
 */
export async function derivePkcs12(
  digest: string,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  purpose: number,
  length: number,
  rounds: Rounds,
): Promise<Buffer> {
  const block = BLOCK[digest];
  if (block === undefined) throw new Unreadable(`${digest} derives no keys`);
  const diversifier = Buffer.alloc(block, purpose);
  let input = Buffer.concat([fill(salt, block), fill(password, block)]);
  const out: Buffer[] = [];
  for (let have = 0; have < length;) {
    rounds.spend(iterations);
    let hash = createHash(digest).update(diversifier).update(input).digest();
    await rounds.repeat(iterations - 1, () => {
      hash = createHash(digest).update(hash).digest();
    });
    out.push(hash);
    have += hash.length;
    if (have < length) input = addToBlocks(input, fill(hash, block).subarray(0, block), block);
  }
  return Buffer.concat(out).subarray(0, length);
}

/** Repeats bytes until whole blocks are full; nothing stays nothing. */
function fill(bytes: Uint8Array, block: number): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Each block plus the addend plus one, as numbers of that many bytes (step 6C). */
function addToBlocks(input: Buffer, addend: Uint8Array, block: number): Buffer<ArrayBuffer> {
  const sum = Buffer.from(input);
  for (let start = 0; start < sum.length; start += block) {
    for (let i = block - 1, carry = 1; i >= 0; i--) {
      carry += (sum[start + i] ?? 0) + (addend[i] ?? 0);
      sum[start + i] = carry & 0xff;
      carry >>= 8;
    }
  }
  return sum;
}
