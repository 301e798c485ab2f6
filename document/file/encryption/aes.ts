import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type Decipheriv,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

const BLOCK = 16;
const NO_IV = new Uint8Array(BLOCK);
/** Up to this length, in bytes, data are prepared for encrypting in a buffer that is used again. */
const SHARED_BYTES = 64 * 1024;

/** Returns this many random bytes. */
export type Random = (length: number) => Uint8Array;

/** A key of 16 or 32 bytes and its ciphers, made once: making them takes longer than most strings and streams. */
export class AesKey {
  readonly #algorithm: string;
  readonly #key: KeyObject;
  #cipher: Cipheriv | undefined;
  #decipher: Decipheriv | undefined;

  constructor(bytes: Uint8Array) {
    this.#algorithm = `aes-${bytes.length === 32 ? 256 : 128}-cbc`;
    // As an object, because Node takes 15 µs longer to make a cipher of bytes.
    this.#key = createSecretKey(bytes);
  }

  get cipher(): Cipheriv {
    return (this.#cipher ??= createCipheriv(this.#algorithm, this.#key, NO_IV).setAutoPadding(false));
  }

  get decipher(): Decipheriv {
    return (this.#decipher ??= createDecipheriv(this.#algorithm, this.#key, NO_IV).setAutoPadding(false));
  }
}

let shared: Buffer | undefined;
let drawn = Buffer.alloc(0);

/** Random bytes for initialisation vectors, drawn 4 kB at a time. Not for keys: what was drawn stays in memory. */
export const vectorBytes: Random = (length) => {
  if (drawn.length < length) drawn = randomFillSync(Buffer.allocUnsafeSlow(Math.max(4096, length)));
  const bytes = drawn.subarray(0, length);
  drawn = drawn.subarray(length);
  return bytes;
};

/**
 * Encrypts with AES in CBC mode, with padding and a random initialisation vector in front (ISO 32000-1, 7.6.2).
 *
 * One cipher encrypts all data of a key, one after another. A random block goes before each: chained to what came
 * before and encrypted, it is as random as it was, and what follows is chained to it, as to an initialisation vector.
 */
export function encryptCbc(key: AesKey, data: Uint8Array, random: Random): Uint8Array {
  const padding = BLOCK - (data.length % BLOCK);
  const length = BLOCK + data.length + padding;
  const blocks =
    length <= SHARED_BYTES ? (shared ??= Buffer.allocUnsafeSlow(SHARED_BYTES)) : Buffer.allocUnsafeSlow(length);
  blocks.set(random(BLOCK));
  blocks.set(data, BLOCK);
  blocks.fill(padding, BLOCK + data.length, length);
  return key.cipher.update(blocks.subarray(0, length));
}

/**
 * Decrypts the output of `encryptCbc`. A truncated last block is dropped; invalid padding is kept as data. The vector
 * in front is decrypted with the rest, by the one decipher of this key, and its meaningless block dropped: all others
 * depend on the block before them only.
 */
export function decryptCbc(key: AesKey, data: Uint8Array): Uint8Array {
  const end = data.length - (data.length % BLOCK);
  if (end <= BLOCK) return new Uint8Array(0);
  const plain = key.decipher.update(data.subarray(0, end)).subarray(BLOCK);
  const padding = plain[plain.length - 1] ?? 0;
  if (padding === 0 || padding > BLOCK) return plain;
  for (let i = 2; i <= padding; i++) if (plain[plain.length - i] !== padding) return plain;
  return plain.subarray(0, plain.length - padding);
}

/**
 * Encrypts whole blocks with AES-256 in CBC mode, without padding and with an initialisation vector of zeros, to wrap
 * keys (ISO 32000-2, 7.6.4.4).
 */
export function wrapKey(key: Uint8Array, data: Uint8Array): Uint8Array {
  return createCipheriv('aes-256-cbc', createSecretKey(key), NO_IV).setAutoPadding(false).update(data);
}

/** Reverses `wrapKey`. */
export function unwrapKey(key: Uint8Array, data: Uint8Array): Uint8Array {
  return createDecipheriv('aes-256-cbc', createSecretKey(key), NO_IV).setAutoPadding(false).update(data);
}
