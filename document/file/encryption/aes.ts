import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';

const BLOCK = 16;
const NO_IV = new Uint8Array(BLOCK);

/** Returns this many random bytes. */
export type Random = (length: number) => Uint8Array;

const keyObjects = new WeakMap<Uint8Array, KeyObject>();

/** Returns the key as an object, made once: Node takes 15 µs longer to make a cipher of bytes. */
function keyObject(key: Uint8Array): KeyObject {
  let object = keyObjects.get(key);
  if (object === undefined) keyObjects.set(key, (object = createSecretKey(key)));
  return object;
}

/** Encrypts with AES in CBC mode, with padding and a random initialisation vector in front (ISO 32000-1, 7.6.2). */
export function encryptCbc(key: Uint8Array, data: Uint8Array, random: Random): Uint8Array {
  const iv = random(BLOCK);
  const cipher = createCipheriv(`aes-${key.length === 32 ? 256 : 128}-cbc`, keyObject(key), iv);
  return Buffer.concat([iv, cipher.update(data), cipher.final()]);
}

/** Decrypts the output of `encryptCbc`. A truncated last block is dropped; invalid padding is kept as data. */
export function decryptCbc(key: Uint8Array, data: Uint8Array): Uint8Array {
  const end = data.length - (data.length % BLOCK);
  if (end <= BLOCK) return new Uint8Array(0);
  const decipher = createDecipheriv(
    `aes-${key.length === 32 ? 256 : 128}-cbc`,
    keyObject(key),
    data.subarray(0, BLOCK),
  ).setAutoPadding(false);
  const plain = decipher.update(data.subarray(BLOCK, end));
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
  return createCipheriv('aes-256-cbc', key, NO_IV).setAutoPadding(false).update(data);
}

/** Reverses `wrapKey`. */
export function unwrapKey(key: Uint8Array, data: Uint8Array): Uint8Array {
  return createDecipheriv('aes-256-cbc', key, NO_IV).setAutoPadding(false).update(data);
}
