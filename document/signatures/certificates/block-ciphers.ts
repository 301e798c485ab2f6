import { createDecipheriv } from 'node:crypto';
import { rc4 } from '../../file/encryption/rc4.js';

/** A cipher that keys are sealed with, by what it needs. */
export interface SealCipher {
  readonly name: 'aes-128-cbc' | 'aes-192-cbc' | 'aes-256-cbc' | 'des-ede3-cbc' | 'des-cbc' | 'rc2-cbc' | 'rc4';
  /** Bytes. */
  readonly keyLength: number;
  /** Bytes. */
  readonly ivLength: number;
}

/** Ciphers by name. Keys of RC2 and RC4 are as long as their algorithm says. */
export const sealCiphers = {
  aes128: { name: 'aes-128-cbc', keyLength: 16, ivLength: 16 },
  aes192: { name: 'aes-192-cbc', keyLength: 24, ivLength: 16 },
  aes256: { name: 'aes-256-cbc', keyLength: 32, ivLength: 16 },
  des3: { name: 'des-ede3-cbc', keyLength: 24, ivLength: 8 },
  des3Of2: { name: 'des-ede3-cbc', keyLength: 16, ivLength: 8 },
  des: { name: 'des-cbc', keyLength: 8, ivLength: 8 },
  rc2Of128: { name: 'rc2-cbc', keyLength: 16, ivLength: 8 },
  rc2Of40: { name: 'rc2-cbc', keyLength: 5, ivLength: 8 },
  rc2Of64: { name: 'rc2-cbc', keyLength: 8, ivLength: 8 },
  rc4Of128: { name: 'rc4', keyLength: 16, ivLength: 0 },
  rc4Of40: { name: 'rc4', keyLength: 5, ivLength: 0 },
} as const satisfies Record<string, SealCipher>;

/** Decrypts and removes the padding; undefined when that is wrong, which most wrong keys show. */
export async function unseal(
  { name }: SealCipher,
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (name === 'rc4') return rc4(key, data);
  if (name === 'rc2-cbc') return unsealRc2(key, iv, data);
  // DES is triple DES with one key thrice, and with two keys the first comes again; OpenSSL 3 offers neither by itself.
  const bytes =
    name === 'des-cbc'
      ? Buffer.concat([key, key, key])
      : name === 'des-ede3-cbc' && key.length === 16
        ? Buffer.concat([key, key.subarray(0, 8)])
        : key;
  const decipher = createDecipheriv(name === 'des-cbc' ? 'des-ede3-cbc' : name, bytes, iv);
  try {
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** RC2 (RFC 2268) is in no OpenSSL that Node carries, and in most keystores made before 2022. */
async function unsealRc2(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Uint8Array | undefined> {
  const { default: forge } = await import('node-forge');
  const bytes = (of: Uint8Array): string => Buffer.from(of).toString('latin1');
  if (data.length % 8 !== 0) return undefined;
  const decipher = forge.rc2.createDecryptionCipher(bytes(key), key.length * 8);
  decipher.start(bytes(iv));
  decipher.update(forge.util.createBuffer(bytes(data)));
  return decipher.finish() ? Buffer.from(decipher.output.getBytes(), 'latin1') : undefined;
}
