import { DocumentError } from '../../errors.js';

/** A keystore or key that cannot be read: the message is the rest of a sentence about it ("is cut off"). */
export class Unreadable extends Error {}

/** A private key that was read and cannot sign: the message is the rest of a sentence about it. */
export class UnusableKey extends Error {}

/** Where what is opened was sent: the form fields that errors name. */
export interface KeystoreFields {
  /** Of the file; `p12File` by default. */
  readonly field?: string;
  /** Of the password; `password` by default. */
  readonly passwordField?: string;
}

/** 400 KEYSTORE_PASSWORD. Never holds the password. */
export function wrongPassword(
  { field = 'p12File', passwordField = 'password' }: KeystoreFields,
  detail: string,
): DocumentError {
  return new DocumentError('KEYSTORE_PASSWORD', { field, detail }, [{ pointer: `/${passwordField}`, detail }]);
}

/** 400 KEYSTORE_UNREADABLE. */
export function unreadable({ field = 'p12File' }: KeystoreFields, detail: string, cause?: unknown): DocumentError {
  return new DocumentError('KEYSTORE_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
}

/** 400 KEYSTORE_NO_KEY. */
export function noKey({ field = 'p12File' }: KeystoreFields, detail: string): DocumentError {
  return new DocumentError('KEYSTORE_NO_KEY', { field, detail }, [{ pointer: `/${field}`, detail }]);
}

/** 400 KEY_UNUSABLE. */
export function unusableKey({ field = 'p12File' }: KeystoreFields, detail: string): DocumentError {
  return new DocumentError('KEY_UNUSABLE', { field, detail }, [{ pointer: `/${field}`, detail }]);
}
