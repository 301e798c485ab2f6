import { createCipheriv, createDecipheriv, createSecretKey, hash } from 'node:crypto';
import { onceInRun } from '../source/index.js';
import { type Random, unwrapKey, wrapKey } from './aes.js';

/** The entries of an encryption dictionary of revision 5 or 6: /U and /O of 48 bytes, /UE and /OE of 32. */
export interface ModernEntries {
  readonly user: Uint8Array;
  readonly owner: Uint8Array;
  readonly userKey: Uint8Array;
  readonly ownerKey: Uint8Array;
}

const NOTHING = new Uint8Array(0);

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
  return onceInRun(attemptKey(revision, entries, password), () => open(revision, entries, password));
}

function attemptKey(revision: number, entries: ModernEntries, password: Uint8Array): string {
  const { user, owner, userKey, ownerKey } = entries;
  const parts = [password, user, owner, userKey, ownerKey].map((bytes) => Buffer.from(bytes).toString('base64'));
  return `openModern ${revision} ${parts.join(' ')}`;
}

function open(revision: number, entries: ModernEntries, password: Uint8Array): ModernAccess | undefined {
  const { user, owner, userKey, ownerKey } = entries;
  const matches = (entry: Uint8Array, against: Uint8Array): boolean =>
    Buffer.from(hashPassword(revision, password, entry.subarray(32, 40), against)).equals(entry.subarray(0, 32));
  const key = (entry: Uint8Array, against: Uint8Array, wrapped: Uint8Array): Uint8Array =>
    unwrapKey(hashPassword(revision, password, entry.subarray(40, 48), against), wrapped);
  if (matches(owner, user)) return { access: 'owner', key: key(owner, user, ownerKey) };
  if (matches(user, NOTHING)) return { access: 'user', key: key(user, NOTHING, userKey) };
  return undefined;
}

/** Creates the entries of revision 6 for a file's key (ISO 32000-2, 7.6.4.4.7 and 7.6.4.4.8, algorithms 8 and 9). */
export function modernEntries(
  fileKey: Uint8Array,
  userPassword: Uint8Array,
  ownerPassword: Uint8Array,
  random: Random,
): ModernEntries {
  const make = (password: Uint8Array, against: Uint8Array): readonly [entry: Uint8Array, wrapped: Uint8Array] => {
    const salts = random(16);
    const entry = Buffer.concat([hashPassword(6, password, salts.subarray(0, 8), against), salts]);
    return [entry, wrapKey(hashPassword(6, password, salts.subarray(8), against), fileKey)];
  };
  const [user, userKey] = make(userPassword, NOTHING);
  const [owner, ownerKey] = make(ownerPassword, user);
  const entries = { user, owner, userKey, ownerKey };
  // Another password has other hashes, so the check that the result does not open without one need not compute them.
  if (userPassword.length > 0 && ownerPassword.length > 0) onceInRun(attemptKey(6, entries, NOTHING), () => undefined);
  return entries;
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
  return createCipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false).update(plain);
}

/** The permissions in /Perms; undefined when it was not created with this key (algorithm 13). */
export function unsealPermissions(fileKey: Uint8Array, sealed: Uint8Array): number | undefined {
  const plain = createDecipheriv('aes-256-ecb', fileKey, null).setAutoPadding(false).update(sealed);
  return plain.toString('latin1', 9, 12) === 'adb' ? plain.readInt32LE(0) : undefined;
}

/** SHA-256 in revision 5; in revision 6 the hash of at least 64 rounds (ISO 32000-2, 7.6.4.3.4, algorithm 2.B). */
function hashPassword(revision: number, password: Uint8Array, salt: Uint8Array, user: Uint8Array): Uint8Array {
  let key = hash('sha256', Buffer.concat([password, salt, user]), 'buffer');
  if (revision < 6) return key;
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const once = Buffer.concat([password, key, user]);
    const repeated = Buffer.alloc(64 * once.length, once);
    // As an object, because Node takes three times as long to make a cipher of a key in bytes.
    const cipherKey = createSecretKey(key.subarray(0, 16));
    const encrypted = createCipheriv('aes-128-cbc', cipherKey, key.subarray(16, 32))
      .setAutoPadding(false)
      .update(repeated);
    // 256 is 1 modulo 3, so a number of 16 bytes and the sum of its bytes are congruent modulo 3.
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = hash((['sha256', 'sha384', 'sha512'] as const)[sum % 3] ?? 'sha256', encrypted, 'buffer');
    last = encrypted[encrypted.length - 1] ?? 0;
  }
  return key.subarray(0, 32);
}
