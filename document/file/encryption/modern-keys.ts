import { createCipheriv, createDecipheriv, createSecretKey, hash } from 'node:crypto';
import { onceInRun, recallInRun, rememberInRun } from '../source/index.js';
import { MODERN_BYTES } from '../passwords/index.js';
import { type Random, unwrapKey, wrapKey } from './aes.js';
import type { Exchange } from './cipher.js';

/** The entries of an encryption dictionary of revision 5 or 6: /U and /O of 48 bytes, /UE and /OE of 32. */
export interface ModernEntries {
  readonly user: Uint8Array;
  readonly owner: Uint8Array;
  readonly userKey: Uint8Array;
  readonly ownerKey: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const TRIED = 'revision 6';
const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;
const LONGEST_DIGEST = 64;
/** A power of two. */
const REPETITIONS = 64;
/**
 * For ciphers whose key is a string. Node looks at a key of bytes with two exceptions (13 µs), and a `KeyObject` for
 * each round makes work for the garbage collector. A Node that took the key for UTF-8 would refuse its length.
 */
const KEY_IN_LATIN1 = { encoding: 'latin1' } as const;
/** Used by all hashes: as a new buffer for each of their rounds it would be most of a call's garbage. */
const roundBytes = Buffer.alloc(REPETITIONS * (MODERN_BYTES + LONGEST_DIGEST + 48));

/** The access that a password gives, and the file's key. */
export interface ModernAccess {
  readonly access: 'user' | 'owner';
  readonly key: Uint8Array;
}

/**
 * The file's key when the password is the owner's or the user's (ISO 32000-2, 7.6.4.3.3, algorithm 2.A). Computed once
 * in a run: each attempt takes hundreds of hashes, and a run opens its files several times.
 */
export function openModern(revision: number, entries: ModernEntries, password: Uint8Array): ModernAccess | undefined {
  if (revision === 6) rememberInRun(TRIED, true);
  return onceInRun(attemptKey(revision, entries, password), () => open(revision, entries, password));
}

/** True when this run has opened or encrypted a document of revision 6. */
export const triedRevision6 = (): boolean => recallInRun(TRIED) === true;

/** The strings of `Unlocked.inRevision5` (ISO 32000-2, 7.6.4.3.4: SHA-256 of password and salt). */
export function entriesInRevision5(entries: ModernEntries, password: Uint8Array): readonly Exchange[] | undefined {
  const { user, userKey } = entries;
  const opened = openModern(6, entries, password);
  if (opened === undefined) return undefined;
  const [validation, forKey] = [user.subarray(32, 40), user.subarray(40, 48)];
  return [
    [user, Buffer.concat([hashPassword(5, password, validation, NOTHING), validation, forKey])],
    [userKey, wrapKey(hashPassword(5, password, forKey, NOTHING), opened.key)],
  ];
}

function attemptKey(revision: number, entries: ModernEntries, password: Uint8Array): string {
  const { user, owner, userKey, ownerKey } = entries;
  const parts = [password, user, owner, userKey, ownerKey].map((bytes) => Buffer.from(bytes).toString('base64'));
  return `openModern ${revision} ${parts.join(' ')}`;
}

/**
 * The standard tries the owner's password first. The key is the same in either order; most passwords that are sent are
 * the user's, which this order opens with two hashes in place of three.
 */
function open(revision: number, entries: ModernEntries, password: Uint8Array): ModernAccess | undefined {
  const { user, owner, userKey, ownerKey } = entries;
  const matches = (entry: Uint8Array, against: Uint8Array): boolean =>
    Buffer.from(hashPassword(revision, password, entry.subarray(32, 40), against)).equals(entry.subarray(0, 32));
  const key = (entry: Uint8Array, against: Uint8Array, wrapped: Uint8Array): Uint8Array =>
    unwrapKey(hashPassword(revision, password, entry.subarray(40, 48), against), wrapped);
  if (matches(user, NOTHING)) {
    let access: ModernAccess['access'] | undefined;
    return {
      key: key(user, NOTHING, userKey),
      // Hardly anybody asks, and answering takes another hash: the password may be the owner's too.
      get access() {
        return (access ??= matches(owner, user) ? 'owner' : 'user');
      },
    };
  }
  return matches(owner, user) ? { access: 'owner', key: key(owner, user, ownerKey) } : undefined;
}

/**
 * Creates the entries of revision 6 for a file's key (ISO 32000-2, 7.6.4.4.7 and 7.6.4.4.8, algorithms 8 and 9).
 * Without an owner's password nobody is the owner: /O and /OE are random, as they would be for one that nobody knows.
 */
export function modernEntries(
  fileKey: Uint8Array,
  userPassword: Uint8Array,
  ownerPassword: Uint8Array | undefined,
  random: Random,
): ModernEntries {
  const make = (password: Uint8Array, against: Uint8Array): readonly [entry: Uint8Array, wrapped: Uint8Array] => {
    const salts = random(16);
    const entry = Buffer.concat([hashPassword(6, password, salts.subarray(0, 8), against), salts]);
    return [entry, wrapKey(hashPassword(6, password, salts.subarray(8), against), fileKey)];
  };
  const [user, userKey] = make(userPassword, NOTHING);
  const [owner, ownerKey] = ownerPassword === undefined ? [random(48), random(32)] : make(ownerPassword, user);
  const entries = { user, owner, userKey, ownerKey };
  rememberAttempts(entries, fileKey, userPassword, ownerPassword);
  return entries;
}

/** The checks of the result need not compute again what these passwords do, if they find the same entries. */
function rememberAttempts(
  entries: ModernEntries,
  key: Uint8Array,
  user: Uint8Array,
  owner: Uint8Array | undefined,
): void {
  rememberInRun(TRIED, true);
  const remember = (password: Uint8Array, found: ModernAccess | undefined): unknown =>
    onceInRun(attemptKey(6, entries, password), () => found);
  if (owner !== undefined) remember(owner, { access: 'owner', key });
  remember(user, { access: 'user', key });
  // Another password has other hashes.
  remember(NOTHING, undefined);
}

/** Encrypts the permissions as /Perms, so that changes to /P are detected (ISO 32000-2, 7.6.4.4.9, algorithm 10). */
export function sealPermissions(
  fileKey: Uint8Array,
  permissions: number,
  encryptMetadata: boolean,
  random: Random,
): Uint8Array {
  const plain = Buffer.alloc(16, 0xff);
  plain.writeInt32LE(permissions, 0);
  plain.write(encryptMetadata ? 'Tadb' : 'Fadb', 8, 'latin1');
  plain.set(random(4), 12);
  return createCipheriv('aes-256-ecb', createSecretKey(fileKey), null).setAutoPadding(false).update(plain);
}

/** The permissions in /Perms; undefined when it was not created with this key (algorithm 13). */
export function unsealPermissions(fileKey: Uint8Array, sealed: Uint8Array): number | undefined {
  const plain = createDecipheriv('aes-256-ecb', createSecretKey(fileKey), null).setAutoPadding(false).update(sealed);
  return plain.toString('latin1', 9, 12) === 'adb' ? plain.readInt32LE(0) : undefined;
}

/** SHA-256 in revision 5; in revision 6 the hash of at least 64 rounds (ISO 32000-2, 7.6.4.3.4, algorithm 2.B). */
function hashPassword(revision: number, password: Uint8Array, salt: Uint8Array, user: Uint8Array): Uint8Array {
  let key = hash('sha256', Buffer.concat([password, salt, user]), 'binary');
  if (revision < 6) return Buffer.from(key, 'latin1');
  const longest = REPETITIONS * (password.length + LONGEST_DIGEST + user.length);
  const rounds = longest <= roundBytes.length ? roundBytes : Buffer.alloc(longest);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const plain = repeated(rounds, password, key, user);
    const vector = rounds.subarray(password.length + 16, password.length + 32);
    const encrypted = createCipheriv('aes-128-cbc', key.slice(0, 16), vector, KEY_IN_LATIN1).update(plain);
    // 256 is 1 modulo 3, so a number of 16 bytes and the sum of its bytes are congruent modulo 3.
    let sum = 0;
    for (let i = 0; i < 16; i++) sum += encrypted[i] ?? 0;
    key = hash(DIGESTS[sum % 3] ?? 'sha256', encrypted, 'binary');
    last = encrypted[encrypted.length - 1] ?? 0;
  }
  rounds.fill(0, 0, longest);
  return Buffer.from(key.slice(0, 32), 'latin1');
}

/** Fills the buffer with 64 repetitions of password, key (in Latin-1) and /U, and returns them. */
function repeated(into: Buffer, password: Uint8Array, key: string, user: Uint8Array): Buffer {
  const once = password.length + key.length + user.length;
  into.set(password, 0);
  into.write(key, password.length, 'latin1');
  into.set(user, password.length + key.length);
  const all = once * REPETITIONS;
  for (let filled = once; filled < all; filled *= 2) into.copyWithin(filled, 0, filled);
  return into.subarray(0, all);
}
