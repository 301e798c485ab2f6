import type { PDFDict, PDFRef } from 'pdf-lib';

/** None, RC4, AES-128 with a key per object (AESV2), or AES-256 with the file's key (AESV3). */
export type CryptMethod = 'none' | 'RC4' | 'AESV2' | 'AESV3';

/**
 * Encrypts and decrypts the strings and streams of one document. `ref` is the indirect object that contains them: the
 * old methods derive a key from its number and generation, so the bytes must be written under the same reference. Never
 * pass data that stays plain: the encryption dictionary, the trailer, strings within object streams, /Contents of a
 * signature. A stream's dictionary decides its method: cross-reference streams, metadata of a document that leaves it
 * readable, and streams with an identity filter are returned unchanged.
 */
export interface ObjectCipher {
  /** Returns the encryption method for a stream with this dictionary. */
  streamMethod(dict: PDFDict): CryptMethod;
  decryptString(ref: PDFRef, bytes: Uint8Array): Uint8Array;
  decryptStream(ref: PDFRef, dict: PDFDict, bytes: Uint8Array): Uint8Array;
  encryptString(ref: PDFRef, bytes: Uint8Array): Uint8Array;
  encryptStream(ref: PDFRef, dict: PDFDict, bytes: Uint8Array): Uint8Array;
}

/** What changes in an encryption when its document gets another first half of /ID. */
export interface Reidentified {
  readonly cipher: ObjectCipher;
  /** The new /U, where the keys depend on the identifier. */
  readonly user?: Uint8Array;
}

/** Bytes of a string, and those that take their place. */
export type Exchange = readonly [before: Uint8Array, after: Uint8Array];

/** The result of unlocking with a password. */
export interface Unlocked {
  readonly cipher: ObjectCipher;
  /** The owner may do everything; the user only what `permissions` allow. */
  readonly access: 'user' | 'owner';
  /** Revision of the standard security handler: 2 to 6. */
  readonly revision: number;
  readonly algorithm: 'RC4' | 'AES-128' | 'AES-256';
  readonly keyBits: number;
  /** The /P entry as a signed 32-bit number; `decodePermissions` names its bits. */
  readonly permissions: number;
  readonly encryptMetadata: boolean;
  /** True when the document opens without a password, too. */
  opensWithoutPassword(): boolean;
  /**
   * For revision 6: the strings to exchange so that this password, in UTF-8 and not prepared, opens the document in
   * revision 5, which differs only in the hash: one SHA-256 in place of hundreds. Salts and the file's key stay.
   * Undefined when the password does not open the document, and for other revisions.
   */
  inRevision5(password: string): readonly Exchange[] | undefined;
  /** Keeps passwords and permissions under another first half of /ID. */
  reidentified(id: Uint8Array): Reidentified;
}
