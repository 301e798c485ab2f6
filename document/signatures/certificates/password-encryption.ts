import { createHash, pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { BaseBlock } from 'asn1js';
import { inner, numberOf, octetsOf, oidOf } from '../asn1/read-asn1.js';
import { type SealCipher, sealCiphers, unseal } from './block-ciphers.js';
import { Unreadable } from './errors.js';
import type { PasswordForms } from './password-forms.js';
import { derivedFor, derivePkcs12 } from './pkcs12-derivation.js';
import type { Rounds } from './rounds.js';

/** Bytes that a key derivation may take (scrypt). */
const MAX_SCRYPT_MEMORY = 256 * 1024 * 1024;

/** PKCS#12's own schemes (RFC 7292, appendix C): always SHA-1. */
const pkcs12Schemes: Readonly<Record<string, SealCipher>> = {
  '1.2.840.113549.1.12.1.1': sealCiphers.rc4Of128,
  '1.2.840.113549.1.12.1.2': sealCiphers.rc4Of40,
  '1.2.840.113549.1.12.1.3': sealCiphers.des3,
  '1.2.840.113549.1.12.1.4': sealCiphers.des3Of2,
  '1.2.840.113549.1.12.1.5': sealCiphers.rc2Of128,
  '1.2.840.113549.1.12.1.6': sealCiphers.rc2Of40,
};
/** The first schemes of PKCS#5 (RFC 8018, appendix A.3). */
const pkcs5Schemes: Readonly<Record<string, readonly [digest: string, cipher: SealCipher]>> = {
  '1.2.840.113549.1.5.3': ['md5', sealCiphers.des],
  '1.2.840.113549.1.5.6': ['md5', sealCiphers.rc2Of64],
  '1.2.840.113549.1.5.10': ['sha1', sealCiphers.des],
  '1.2.840.113549.1.5.11': ['sha1', sealCiphers.rc2Of64],
};
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const SCRYPT = '1.3.6.1.4.1.11591.4.11';
const RC2_CBC = '1.2.840.113549.3.2';
const pbes2Ciphers: Readonly<Record<string, SealCipher>> = {
  '2.16.840.1.101.3.4.1.2': sealCiphers.aes128,
  '2.16.840.1.101.3.4.1.22': sealCiphers.aes192,
  '2.16.840.1.101.3.4.1.42': sealCiphers.aes256,
  '1.2.840.113549.3.7': sealCiphers.des3,
  '1.3.14.3.2.7': sealCiphers.des,
  [RC2_CBC]: sealCiphers.rc2Of128,
};
/** Digests of HMAC by its object identifiers (RFC 8018, appendix B.1.2). */
const hmacDigests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
  '1.2.840.113549.2.12': 'sha512-224',
  '1.2.840.113549.2.13': 'sha512-256',
};

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<
  Uint8Array,
  Uint8Array,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

/**
 * Decrypts what a password sealed, by its AlgorithmIdentifier: PKCS#12's schemes, PBES1 and PBES2 (RFC 8018). Undefined
 * for a wrong password, as far as that shows: `isRight` judges the plain bytes. Throws Unreadable for what it does not
 * know and for more rounds than are left.
 */
export async function decryptWithPassword(
  algorithm: BaseBlock | undefined,
  data: Uint8Array,
  forms: PasswordForms,
  rounds: Rounds,
  isRight: (plain: Uint8Array) => boolean,
): Promise<Uint8Array | undefined> {
  const [id, parameters] = algorithm === undefined ? [] : inner(algorithm);
  const scheme = oidOf(id);
  const wide = pkcs12Schemes[scheme];
  for (const password of wide === undefined ? forms.narrow : forms.wide) {
    const { cipher, key, iv } =
      wide === undefined
        ? await narrowKey(scheme, parameters, password, rounds)
        : await wideKey(wide, parameters, password, rounds);
    const plain = await unseal(cipher, key, iv, data);
    if (plain !== undefined && isRight(plain)) return plain;
  }
  return undefined;
}

/** PBKDF2 by its parameters (RFC 8018, appendix A.2); `length` where they name none. Throws Unreadable. */
export async function derivePbkdf2By(
  parameters: BaseBlock | undefined,
  password: Uint8Array,
  length: number | undefined,
  rounds: Rounds,
): Promise<Buffer> {
  const [salt, count, ...rest] = parameters === undefined ? [] : inner(parameters);
  const lengthGiven = rest[0]?.idBlock.tagNumber === 2 ? numberOf(rest.shift()) : undefined;
  const iterations = numberOf(count);
  rounds.spend(iterations);
  const bytes = length ?? lengthGiven ?? 0;
  if (bytes < 1 || bytes > 128) throw new Unreadable('derives a key of no usable length');
  return derivePbkdf2(password, octetsOf(salt), iterations, bytes, hmacDigestOf(rest[0]));
}

/**
 * Returns the digest of an HMAC's AlgorithmIdentifier; SHA-1, the default of PBKDF2, if there is none. Throws
 * Unreadable.
 */
export function hmacDigestOf(algorithm: BaseBlock | undefined): string {
  if (algorithm === undefined) return 'sha1';
  const id = oidOf(inner(algorithm)[0]);
  const digest = hmacDigests[id];
  if (digest === undefined) throw new Unreadable(`uses the unknown HMAC ${id}`);
  return digest;
}

interface DerivedKey {
  readonly cipher: SealCipher;
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
}

async function wideKey(
  cipher: SealCipher,
  parameters: BaseBlock | undefined,
  password: Uint8Array,
  rounds: Rounds,
): Promise<DerivedKey> {
  const [saltBlock, count] = parameters === undefined ? [] : inner(parameters);
  const salt = octetsOf(saltBlock);
  const derive = (purpose: number, length: number): Promise<Buffer> =>
    derivePkcs12('sha1', password, salt, numberOf(count), purpose, length, rounds);
  return {
    cipher,
    key: await derive(derivedFor.key, cipher.keyLength),
    iv: cipher.ivLength === 0 ? Buffer.alloc(0) : await derive(derivedFor.iv, cipher.ivLength),
  };
}

async function narrowKey(
  scheme: string,
  parameters: BaseBlock | undefined,
  password: Uint8Array,
  rounds: Rounds,
): Promise<DerivedKey> {
  const old = pkcs5Schemes[scheme];
  const [first, second] = parameters === undefined ? [] : inner(parameters);
  if (old !== undefined) {
    const [digest, cipher] = old;
    const iterations = numberOf(second);
    rounds.spend(iterations);
    // PBKDF1 (RFC 8018, 5.1): 16 bytes, the key and then the first block.
    let hash = createHash(digest).update(password).update(octetsOf(first)).digest();
    await rounds.repeat(iterations - 1, () => {
      hash = createHash(digest).update(hash).digest();
    });
    return { cipher, key: hash.subarray(0, 8), iv: hash.subarray(8, 16) };
  }
  if (scheme !== PBES2) throw new Unreadable(`is sealed with the unknown scheme ${scheme}`);
  const [cipherId, cipherParameters] = second === undefined ? [] : inner(second);
  const { cipher, iv } = pbes2Cipher(oidOf(cipherId), cipherParameters);
  if (iv.length !== cipher.ivLength) throw new Unreadable('has an initialization vector of a wrong length');
  const [derivation, derivationParameters] = first === undefined ? [] : inner(first);
  const by = oidOf(derivation);
  if (by === PBKDF2)
    return { cipher, iv, key: await derivePbkdf2By(derivationParameters, password, cipher.keyLength, rounds) };
  if (by === SCRYPT)
    return { cipher, iv, key: await scryptKey(derivationParameters, password, cipher.keyLength, rounds) };
  throw new Unreadable(`derives its key with the unknown ${by}`);
}

function pbes2Cipher(
  id: string,
  parameters: BaseBlock | undefined,
): { readonly cipher: SealCipher; readonly iv: Uint8Array } {
  const cipher = pbes2Ciphers[id];
  if (cipher === undefined) throw new Unreadable(`is sealed with the unknown cipher ${id}`);
  if (id !== RC2_CBC) return { cipher, iv: octetsOf(parameters) };
  // RFC 8018, appendix B.2.3: the version stands for the key's effective bits.
  const [version, iv] = parameters === undefined ? [] : inner(parameters);
  const effective = { 160: sealCiphers.rc2Of40, 120: sealCiphers.rc2Of64, 58: sealCiphers.rc2Of128 }[numberOf(version)];
  if (effective === undefined) throw new Unreadable('is sealed with RC2 of an unknown strength');
  return { cipher: effective, iv: octetsOf(iv) };
}

async function scryptKey(
  parameters: BaseBlock | undefined,
  password: Uint8Array,
  length: number,
  rounds: Rounds,
): Promise<Buffer> {
  // RFC 7914, 7.1.
  const [salt, cost, blockSize, parallel] = parameters === undefined ? [] : inner(parameters);
  const [N, r, p] = [numberOf(cost), numberOf(blockSize), numberOf(parallel)];
  if (r < 1 || p < 1 || N < 2 || 128 * N * r > MAX_SCRYPT_MEMORY)
    throw new Unreadable('asks for more memory for its key derivation than is allowed');
  rounds.spend(N * r * p);
  return deriveScrypt(password, octetsOf(salt), length, {
    N,
    r,
    p,
    maxmem: MAX_SCRYPT_MEMORY + 128 * r * (p + 2) + 1024,
  });
}
