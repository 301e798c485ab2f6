import { createHash } from 'node:crypto';
import { padPassword } from '../passwords/index.js';
import { rc4 } from './rc4.js';

/** The values from which revisions 2 to 4 derive the file's key. */
export interface LegacyKeys {
  readonly revision: number;
  readonly keyBytes: number;
  /** /O, 32 bytes. */
  readonly owner: Uint8Array;
  readonly permissions: number;
  /** The first half of the file's /ID. */
  readonly id: Uint8Array;
  readonly encryptMetadata: boolean;
}

const NO_METADATA = Uint8Array.of(255, 255, 255, 255);

/** The file's key for a user password padded to 32 bytes (ISO 32000-1, 7.6.3.3, algorithm 2). */
export function legacyFileKey(keys: LegacyKeys, padded: Uint8Array): Uint8Array {
  const rights = new Uint8Array(4);
  new DataView(rights.buffer).setInt32(0, keys.permissions, true);
  const clear = keys.revision >= 4 && !keys.encryptMetadata ? [NO_METADATA] : [];
  return digest([padded, keys.owner, rights, keys.id, ...clear], keys.revision === 2 ? 0 : 50, keys.keyBytes).subarray(
    0,
    keys.keyBytes,
  );
}

/** /U for a file's key (7.6.3.4, algorithms 4 and 5): 32 bytes, of which 16 count from revision 3 on. */
export function legacyUserEntry(keys: LegacyKeys, fileKey: Uint8Array): Uint8Array {
  if (keys.revision === 2) return rc4(fileKey, padPassword(new Uint8Array(0)));
  const entry = new Uint8Array(32);
  entry.set(passes(fileKey, digest([padPassword(new Uint8Array(0)), keys.id], 0, 16), false));
  return entry;
}

/** /O for both padded passwords (7.6.3.4, algorithm 3). */
export function legacyOwnerEntry(
  { revision, keyBytes }: Pick<LegacyKeys, 'revision' | 'keyBytes'>,
  owner: Uint8Array,
  user: Uint8Array,
): Uint8Array {
  const key = ownerKey(revision, keyBytes, owner);
  return revision === 2 ? rc4(key, user) : passes(key, user, false);
}

/**
 * The possible padded user passwords for a padded owner password (7.6.3.4, algorithm 7). The standard hashes all 16
 * bytes again whatever the key's length, common writers only as many as the key has.
 */
export function userPasswordsOf({ revision, keyBytes, owner }: LegacyKeys, padded: Uint8Array): Uint8Array[] {
  if (revision === 2) return [rc4(ownerKey(2, keyBytes, padded), owner)];
  return [...new Set([keyBytes, 16])].map((digested) =>
    passes(ownerKey(revision, keyBytes, padded, digested), owner, true),
  );
}

/** The file's key when the padded user password is right (7.6.3.4, algorithm 6). `user` is /U. */
export function openLegacy(keys: LegacyKeys, user: Uint8Array, padded: Uint8Array): Uint8Array | undefined {
  const fileKey = legacyFileKey(keys, padded);
  const counts = keys.revision === 2 ? 32 : 16;
  return Buffer.from(legacyUserEntry(keys, fileKey)).compare(user, 0, counts, 0, counts) === 0 ? fileKey : undefined;
}

function ownerKey(revision: number, keyBytes: number, padded: Uint8Array, digested = keyBytes): Uint8Array {
  return digest([padded], revision === 2 ? 0 : 50, digested).subarray(0, keyBytes);
}

/** MD5, then repeated MD5 of its first bytes. */
function digest(pieces: readonly Uint8Array[], again: number, first: number): Uint8Array {
  const hash = createHash('md5');
  for (const piece of pieces) hash.update(piece);
  let value = hash.digest();
  for (let i = 0; i < again; i++) value = createHash('md5').update(value.subarray(0, first)).digest();
  return value;
}

/** Twenty passes of RC4, with the key's bytes XORed with the number of the pass. */
function passes(key: Uint8Array, data: Uint8Array, backwards: boolean): Uint8Array {
  let value = data;
  for (let i = 0; i < 20; i++) {
    const pass = backwards ? 19 - i : i;
    value = rc4(
      key.map((byte) => byte ^ pass),
      value,
    );
  }
  return value;
}
