import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { inner, numberOf, octetsOf, oidOf, parseAsn1 } from '../asn1/read-asn1.js';
import { Unreadable } from './errors.js';
import type { KeystoreEntry, OpenedKeystore } from './keystore-entry.js';
import { utf16 } from './password-forms.js';
import type { Rounds } from './rounds.js';
import { isPrivateKeyInfo } from './unseal-private-key.js';

const JKS = 0xfeedfeed;
const JCEKS = 0xcececece;
/** How Java seals a key in JKS, and in JCEKS. */
const KEY_PROTECTOR = '1.3.6.1.4.1.42.2.17.1.1';
const MD5_AND_TRIPLE_DES = '1.3.6.1.4.1.42.2.19.1';
/** Prefix of the file digest, after the password. */
const WHITENER = Buffer.from('Mighty Aphrodite', 'latin1');
const DIGEST = 20;
const MAX_ENTRIES = 10_000;
/** Keys that a password is tried on which is not the file's: each of JCEKS costs a second. */
const MAX_TRIED = 5;

/** True for bytes that begin like a JKS or JCEKS keystore. */
export function isJks(bytes: Uint8Array): boolean {
  return bytes.length > 3 && [JKS, JCEKS].includes(Buffer.from(bytes.subarray(0, 4)).readUInt32BE());
}

/**
 * Opens Java keystores: JKS and JCEKS (the formats of `sun.security.provider.JavaKeyStore` and
 * `com.sun.crypto.provider.JceKeyStore`, which have no other description). Each key may have a password of its own,
 * which is enough to use the key, so the file digest decides only if no key opens. Throws Unreadable for other files.
 */
export async function openJks(
  bytes: Uint8Array,
  password: string | undefined,
  rounds: Rounds,
): Promise<OpenedKeystore | 'wrong password'> {
  const secret = utf16(password ?? '');
  const read = readEntries(bytes);
  const digest = createHash('sha1').update(secret).update(WHITENER).update(bytes.subarray(0, -DIGEST)).digest();
  const isRight = timingSafeEqual(digest, Buffer.from(bytes.subarray(-DIGEST)));
  const unseal = (sealed: Uint8Array): Promise<Uint8Array | undefined> =>
    unsealKey(sealed, password ?? '', secret, rounds);
  if (!isRight) {
    // Only a key's password may have been given, or a wrong one.
    let opens = false;
    for (const { sealed } of read.keys.slice(0, MAX_TRIED)) opens ||= (await unseal(sealed)) !== undefined;
    if (!opens) return 'wrong password';
  }
  return {
    entries: read.keys.map(({ alias, sealed, chain }): KeystoreEntry => ({
      alias,
      certificates: chain,
      unseal: () => unseal(sealed),
    })),
    certificates: [...read.keys.flatMap(({ chain }) => chain), ...read.trusted],
  };
}

interface Entries {
  readonly keys: readonly {
    readonly alias: string;
    readonly sealed: Uint8Array;
    readonly chain: readonly Uint8Array[];
  }[];
  readonly trusted: readonly Uint8Array[];
}

function readEntries(bytes: Uint8Array): Entries {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - DIGEST));
  const magic = reader.number(4);
  const version = reader.number(4);
  if (version !== 1 && version !== 2) throw new Unreadable(`is version ${version} of its format, which is unknown`);
  const keys: { alias: string; sealed: Uint8Array; chain: Uint8Array[] }[] = [];
  const trusted: Uint8Array[] = [];
  const certificate = (): Uint8Array => {
    if (version === 2) reader.text();
    return reader.bytes(reader.number(4));
  };
  const count = reader.number(4);
  if (count > MAX_ENTRIES) throw new Unreadable(`has more than ${MAX_ENTRIES} entries`);
  for (let i = 0; i < count; i++) {
    const tag = reader.number(4);
    // Secret keys of JCEKS are serialized objects without a length, so what follows one cannot be found.
    if (tag === 3 && magic === JCEKS) {
      if (keys.length > 0) break;
      throw new Unreadable('holds a secret key before its private keys, which only Java can read past');
    }
    const alias = reader.text();
    reader.bytes(8);
    if (tag === 1) {
      const sealed = reader.bytes(reader.number(4));
      const length = reader.number(4);
      if (length > MAX_ENTRIES) throw new Unreadable(`has more than ${MAX_ENTRIES} certificates`);
      keys.push({ alias, sealed, chain: Array.from({ length }, certificate) });
    } else if (tag === 2) {
      trusted.push(certificate());
    } else {
      throw new Unreadable('has an entry of an unknown kind');
    }
  }
  return { keys, trusted };
}

async function unsealKey(
  sealed: Uint8Array,
  password: string,
  secret: Uint8Array,
  rounds: Rounds,
): Promise<Uint8Array | undefined> {
  const [algorithm, octets] = inner(parseAsn1(sealed));
  const [name, parameters] = algorithm === undefined ? [] : inner(algorithm);
  const data = octetsOf(octets);
  const scheme = oidOf(name);
  if (scheme === KEY_PROTECTOR) return unprotect(data, secret);
  if (scheme !== MD5_AND_TRIPLE_DES) throw new Unreadable(`seals its keys with the unknown scheme ${scheme}`);
  const [salt, count] = parameters === undefined ? [] : inner(parameters);
  return openTripleDes(data, password, octetsOf(salt), numberOf(count), rounds);
}

/** A key stream of SHA-1 over the password and the previous block; the digest of the plain key is at the end. */
function unprotect(data: Uint8Array, secret: Uint8Array): Uint8Array | undefined {
  if (data.length < 2 * DIGEST) throw new Unreadable('has a key that is cut off');
  const body = data.subarray(DIGEST, -DIGEST);
  const plain = Buffer.alloc(body.length);
  let block: Uint8Array = data.subarray(0, DIGEST);
  for (let i = 0; i < body.length; i++) {
    if (i % DIGEST === 0) block = createHash('sha1').update(secret).update(block).digest();
    plain[i] = (body[i] ?? 0) ^ (block[i % DIGEST] ?? 0);
  }
  const digest = createHash('sha1').update(secret).update(plain).digest();
  return timingSafeEqual(digest, Buffer.from(data.subarray(-DIGEST))) ? plain : undefined;
}

/**
 * Java's PBEWithMD5AndTripleDES: each half of the salt is hashed with the password by itself, into the key and the
 * first block.
 */
async function openTripleDes(
  data: Uint8Array,
  password: string,
  salt: Uint8Array,
  iterations: number,
  rounds: Rounds,
): Promise<Uint8Array | undefined> {
  if (salt.length !== 8) throw new Unreadable('has a key with a salt of a wrong length');
  const mixed = Buffer.from(salt);
  // Equal halves would give two equal keys. Java means to turn the first one round, and does this.
  if (mixed.subarray(0, 4).equals(mixed.subarray(4))) mixed.set([mixed[3] ?? 0, mixed[0] ?? 0, mixed[1] ?? 0]);
  const secret = Buffer.from(password, 'latin1');
  rounds.spend(2 * iterations);
  const halves: Buffer[] = [];
  for (const half of [mixed.subarray(0, 4), mixed.subarray(4)]) {
    let hash = Buffer.from(half);
    await rounds.repeat(iterations, () => {
      hash = createHash('md5').update(hash).update(secret).digest();
    });
    halves.push(hash);
  }
  const derived = Buffer.concat(halves);
  const decipher = createDecipheriv('des-ede3-cbc', derived.subarray(0, 24), derived.subarray(24, 32));
  try {
    const plain = Buffer.concat([decipher.update(data), decipher.final()]);
    return isPrivateKeyInfo(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** Java's DataInput, as far as keystores need it. Throws Unreadable at the end. */
class Reader {
  #at = 0;

  constructor(private readonly source: Buffer) {}

  number(length: 2 | 4): number {
    return Buffer.from(this.bytes(length)).readUIntBE(0, length);
  }

  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.source.length) throw new Unreadable('is cut off');
    const found = this.source.subarray(this.#at, end);
    this.#at = end;
    return found;
  }

  /**
   * Modified UTF-8, whose pairs of surrogates are encoded one by one and whose NUL has two bytes (java.io.DataInput).
   */
  text(): string {
    const bytes = this.bytes(this.number(2));
    let text = '';
    for (let i = 0; i < bytes.length;) {
      const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
      const size = a < 0x80 ? 1 : a < 0xe0 ? 2 : 3;
      text += String.fromCharCode(
        size === 1
          ? a
          : size === 2
            ? ((a & 0x1f) << 6) | (b & 0x3f)
            : ((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f),
      );
      i += size;
    }
    return text;
  }
}
