import { PDFBool, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import type { Random } from './aes.js';
import type { CryptMethod, Reidentified, Unlocked } from './cipher.js';
import { type CryptFilters, readCryptFilters, uniform } from './crypt-filters.js';
import { legacyFileKey, type LegacyKeys, legacyUserEntry, openLegacy, userPasswordsOf } from './legacy-keys.js';
import { entriesInRevision5, type ModernEntries, openModern, unsealPermissions } from './modern-keys.js';
import { stringBytes } from './objects.js';
import { legacyCandidates, modernCandidates, padPassword } from '../passwords/index.js';
import { StandardCipher } from './standard-cipher.js';

export interface UnlockOptions {
  /** The trailer's /Encrypt, its strings as they are in the file. */
  readonly encrypt: PDFDict;
  /** The first half of the trailer's /ID; empty where the file has none. */
  readonly id: Uint8Array;
  /** The user or owner password; the empty password is always tried. */
  readonly password?: string;
  /** Source of initialisation vectors for encrypting; random by default. */
  readonly random?: Random;
}

interface Opened {
  readonly access: 'user' | 'owner';
  readonly key: Uint8Array;
  /** From what an old revision derived the key: its identifier and the padded user password. */
  readonly legacy?: { readonly keys: LegacyKeys; readonly padded: Uint8Array };
}

const ALGORITHMS = { none: undefined, RC4: 'RC4', AESV2: 'AES-128', AESV3: 'AES-256' } as const;

/**
 * Opens the standard security handler (ISO 32000-1 and 32000-2, 7.6), revisions 2 to 6, with a user or owner password.
 * Throws PDF_ENCRYPTED when no password fits, PDF_ENCRYPTION_PUBLIC_KEY, PDF_ENCRYPTION_UNSUPPORTED for other handlers
 * and versions.
 */
export function unlock({ encrypt, id, password = '', random }: UnlockOptions): Unlocked {
  const { version, revision } = handlerOf(encrypt);
  const declared = integer(encrypt, 'P') | 0;
  const clear = encrypt.lookup(PDFName.of('EncryptMetadata'));
  const encryptMetadata = version < 4 || !(clear instanceof PDFBool) || clear.asBoolean();
  const attempt = (passwords: readonly string[]): Opened | undefined =>
    revision >= 5
      ? tryModern(encrypt, revision, passwords)
      : tryLegacy(encrypt, { version, revision, permissions: declared, id, encryptMetadata }, passwords);
  const opened = attempt(password === '' ? [''] : [password, '']);
  if (opened === undefined) throw new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
  // Revisions 5 and 6 protect the permissions with /Perms; /P alone can be changed without the key.
  const permissions =
    revision < 5 ? declared : declared & (unsealPermissions(opened.key, entry(encrypt, 'Perms', 16)) ?? -1);
  const filters = filtersOf(encrypt, version, encryptMetadata);
  return {
    cipher: new StandardCipher(opened.key, filters, random),
    get access() {
      return opened.access;
    },
    revision,
    algorithm: ALGORITHMS[strongest(filters)] ?? (version >= 5 ? 'AES-256' : 'RC4'),
    keyBits: opened.key.length * 8,
    permissions,
    encryptMetadata,
    opensWithoutPassword: () => attempt(['']) !== undefined,
    inRevision5: (typed) =>
      revision === 6 ? entriesInRevision5(modernEntriesOf(encrypt), Buffer.from(typed, 'utf8')) : undefined,
    reidentified: (newId) => reidentified(opened, newId, filters, random),
  };
}

/**
 * /O does not depend on the identifier; the file's key and /U do up to revision 4 (ISO 32000-1, 7.6.3.3 and 7.6.3.4).
 */
function reidentified({ key, legacy }: Opened, id: Uint8Array, filters: CryptFilters, random?: Random): Reidentified {
  if (legacy === undefined) return { cipher: new StandardCipher(key, filters, random) };
  const keys = { ...legacy.keys, id };
  const newKey = legacyFileKey(keys, legacy.padded);
  return { cipher: new StandardCipher(newKey, filters, random), user: legacyUserEntry(keys, newKey) };
}

function handlerOf(encrypt: PDFDict): { readonly version: number; readonly revision: number } {
  const handler = nameOf(encrypt, 'Filter');
  if (handler === 'Adobe.PubSec' || nameOf(encrypt, 'SubFilter')?.startsWith('adbe.pkcs7.') === true)
    throw new DocumentError('PDF_ENCRYPTION_PUBLIC_KEY', { field: 'fileInput' });
  if (handler !== undefined && handler !== 'Standard')
    throw new DocumentError('PDF_ENCRYPTION_UNSUPPORTED', {
      detail: `its security handler is ${JSON.stringify(handler.slice(0, 40))}`,
    });
  const [version, revision] = [integer(encrypt, 'V'), integer(encrypt, 'R')];
  const fits =
    (version === 5 && (revision === 5 || revision === 6)) ||
    ([1, 2, 4].includes(version) && revision >= 2 && revision <= 4);
  if (!fits)
    throw new DocumentError('PDF_ENCRYPTION_UNSUPPORTED', {
      detail: `version ${version}, revision ${revision} of the standard security handler is unknown`,
    });
  return { version, revision };
}

function filtersOf(encrypt: PDFDict, version: number, encryptMetadata: boolean): CryptFilters {
  return version < 4 ? uniform('RC4') : readCryptFilters(encrypt, version === 4 ? 'AESV2' : 'AESV3', encryptMetadata);
}

/** The strongest method that protects the document; where only attachments are encrypted, theirs. */
function strongest({ streams, strings, embeddedFiles, named }: CryptFilters): CryptMethod {
  return [streams, strings, embeddedFiles, ...named.values()].find((method) => method !== 'none') ?? 'none';
}

function tryModern(encrypt: PDFDict, revision: number, passwords: readonly string[]): Opened | undefined {
  const entries = modernEntriesOf(encrypt);
  return first(passwords.flatMap(modernCandidates), (password) => openModern(revision, entries, password));
}

function modernEntriesOf(encrypt: PDFDict): ModernEntries {
  return {
    user: entry(encrypt, 'U', 48),
    owner: entry(encrypt, 'O', 48),
    userKey: entry(encrypt, 'UE', 32),
    ownerKey: entry(encrypt, 'OE', 32),
  };
}

function tryLegacy(
  encrypt: PDFDict,
  facts: Omit<LegacyKeys, 'keyBytes' | 'owner'> & { readonly version: number },
  passwords: readonly string[],
): Opened | undefined {
  const [owner, user] = [entry(encrypt, 'O', 32), entry(encrypt, 'U', 32)];
  const padded = passwords.flatMap(legacyCandidates).map(padPassword);
  const lengths = facts.revision === 2 ? [5] : keyLengths(encrypt, facts.version);
  return first(padded, (password) =>
    first(lengths, (keyBytes) => {
      const keys = { ...facts, keyBytes, owner };
      const open = (access: Opened['access'], own: Uint8Array): Opened | undefined => {
        const key = openLegacy(keys, user, own);
        return key === undefined ? undefined : { access, key, legacy: { keys, padded: own } };
      };
      return first(userPasswordsOf(keys, password), (own) => open('owner', own)) ?? open('user', password);
    }),
  );
}

/**
 * Key lengths in bytes, the likeliest first: /Length is missing in some files, in bytes in others and wrong in yet
 * others; /U shows which is right.
 */
function keyLengths(encrypt: PDFDict, version: number): number[] {
  const filters = encrypt.lookup(PDFName.of('CF'));
  const name = encrypt.lookup(PDFName.of('StmF'));
  const filter = filters instanceof PDFDict && name instanceof PDFName ? filters.lookup(name) : undefined;
  const declared = [filter instanceof PDFDict ? integer(filter, 'Length') : 0, integer(encrypt, 'Length')]
    .map((length) => (length >= 40 ? length >> 3 : length))
    .filter((length) => length >= 5 && length <= 16);
  return [
    ...new Set(version === 1 ? [5, ...declared, 16] : version === 4 ? [16, ...declared, 5] : [...declared, 5, 16]),
  ];
}

function first<T, R>(values: readonly T[], attempt: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const result = attempt(value);
    if (result !== undefined) return result;
  }
  return undefined;
}

function nameOf(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : undefined;
}

function integer(dict: PDFDict, key: string): number {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? Math.trunc(value.asNumber()) : 0;
}

/** A string of exactly this many bytes: some writers pad theirs, and some drop trailing zeros. */
function entry(dict: PDFDict, key: string, length: number): Uint8Array {
  const value = dict.lookup(PDFName.of(key));
  const bytes = new Uint8Array(length);
  if (value instanceof PDFString || value instanceof PDFHexString) bytes.set(stringBytes(value).subarray(0, length));
  return bytes;
}
