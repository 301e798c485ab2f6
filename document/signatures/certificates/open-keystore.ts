import type { KeyObject } from 'node:crypto';
import { DocumentError } from '../../errors.js';
import {
  type KeystoreFields,
  noKey,
  Unreadable,
  unreadable,
  unusableKey,
  UnusableKey,
  wrongPassword,
} from './errors.js';
import { identityOf, type SigningIdentity, signingKeyOf } from './identity.js';
import { isJks, openJks } from './jks.js';
import type { KeystoreEntry, OpenedKeystore } from './keystore-entry.js';
import { passwordForms } from './password-forms.js';
import { openPkcs12 } from './pkcs12.js';
import { Rounds } from './rounds.js';

/** How a keystore is opened. */
export interface KeystoreOptions extends KeystoreFields {
  /**
   * Name of the entry, upper and lower case alike where no other is written exactly so. An unknown one, and none, mean
   * the first usable entry.
   */
  readonly alias?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Entries that are tried for a usable key. */
const MAX_TRIED = 50;

/**
 * Opens a keystore of any type by its bytes: PKCS#12 (`openPkcs12`), JKS and JCEKS (`openJks`). Returns the key of an
 * entry with a certificate that can sign. No password and an empty one are the same. Rejects with DocumentError:
 * KEYSTORE_PASSWORD, KEYSTORE_UNREADABLE, KEYSTORE_NO_KEY, KEY_UNUSABLE; none contains the password.
 */
export async function openKeystore(
  bytes: Uint8Array,
  password: string | undefined,
  { alias, signal, ...fields }: KeystoreOptions = {},
): Promise<SigningIdentity> {
  const rounds = new Rounds(signal);
  try {
    const opened = await openByKind(bytes, password, rounds);
    if (opened === 'wrong password')
      throw wrongPassword(
        fields,
        password === undefined || password === ''
          ? 'the keystore needs a password'
          : 'the password of the keystore is wrong',
      );
    return await firstUsable(opened, alias, fields);
  } catch (error) {
    if (error instanceof Unreadable) throw unreadable(fields, `it ${error.message}`, error);
    // Of the ASN.1 within: whatever it is, it is not what it begins like.
    if (error instanceof RangeError || error instanceof TypeError)
      throw unreadable(fields, 'it is damaged, cut off or of another kind', error);
    throw error;
  }
}

function openByKind(
  bytes: Uint8Array,
  password: string | undefined,
  rounds: Rounds,
): Promise<OpenedKeystore | 'wrong password'> {
  if (bytes.length === 0) throw new Unreadable('is empty');
  if (isJks(bytes)) return openJks(bytes, password, rounds);
  if (bytes[0] === 0x30) return openPkcs12(bytes, passwordForms(password), rounds);
  throw new Unreadable(
    Buffer.from(bytes.subarray(0, 64)).includes('-----BEGIN')
      ? 'is PEM text'
      : 'is neither PKCS#12 nor a keystore of Java',
  );
}

async function firstUsable(
  { entries, certificates }: OpenedKeystore,
  alias: string | undefined,
  fields: KeystoreFields,
): Promise<SigningIdentity> {
  if (entries.length === 0)
    throw noKey(fields, certificates.length === 0 ? 'it is empty' : 'it holds certificates alone');
  let refusal: unknown;
  for (const entry of inOrder(entries, alias).slice(0, MAX_TRIED)) {
    try {
      return await identityOfEntry(entry, fields);
    } catch (error) {
      if (!isOfEntry(error)) throw error;
      refusal ??= error;
      // Another key than the one that was named must not sign in its place.
      if (isNamed(entry, alias)) break;
    }
  }
  throw refusal;
}

async function identityOfEntry(entry: KeystoreEntry, fields: KeystoreFields): Promise<SigningIdentity> {
  const info = await entry.unseal();
  if (info === undefined) throw wrongPassword(fields, 'the password does not open the private key in the keystore');
  const identity = identityOf(usableKey(info, fields), entry.certificates, entry.alias);
  if (identity === undefined)
    throw noKey(
      fields,
      entry.certificates.length === 0
        ? 'its private key has no certificate'
        : 'no certificate in it belongs to its private key',
    );
  return identity;
}

function usableKey(info: Uint8Array, fields: KeystoreFields): KeyObject {
  try {
    return signingKeyOf(info);
  } catch (error) {
    if (error instanceof UnusableKey) throw unusableKey(fields, `its private key ${error.message}`);
    throw error;
  }
}

function isOfEntry(error: unknown): boolean {
  return (
    error instanceof DocumentError && ['KEYSTORE_PASSWORD', 'KEYSTORE_NO_KEY', 'KEY_UNUSABLE'].includes(error.code)
  );
}

function isNamed({ alias: own }: KeystoreEntry, alias: string | undefined): boolean {
  return alias !== undefined && own.toLowerCase() === alias.trim().toLowerCase();
}

function inOrder(entries: readonly KeystoreEntry[], alias: string | undefined): readonly KeystoreEntry[] {
  if (alias === undefined || alias.trim() === '') return entries;
  const named = entries.find((entry) => entry.alias === alias.trim()) ?? entries.find((entry) => isNamed(entry, alias));
  return named === undefined ? entries : [named, ...entries.filter((entry) => entry !== named)];
}
