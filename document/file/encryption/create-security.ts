import { randomBytes } from 'node:crypto';
import { type PDFContext, type PDFDict, PDFHexString, PDFName } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import type { Random } from './aes.js';
import type { CryptMethod, ObjectCipher } from './cipher.js';
import { type CryptFilters, uniform } from './crypt-filters.js';
import { legacyFileKey, legacyOwnerEntry, legacyUserEntry } from './legacy-keys.js';
import { modernEntries, sealPermissions } from './modern-keys.js';
import { encodeLegacy, encodeModern, padPassword } from '../passwords/index.js';
import { needsRevision3, tidyPermissions } from './permissions.js';
import { StandardCipher } from './standard-cipher.js';

/** The RC4 schemes are easily broken, and exist for old readers only. */
export type SecurityScheme = 'RC4-40' | 'RC4-128' | 'AES-128' | 'AES-256';

export interface SecurityOptions {
  /** The context that the dictionary will belong to. */
  readonly context: PDFContext;
  readonly scheme: SecurityScheme;
  /** Needed to open the document; empty for none. */
  readonly userPassword?: string;
  /**
   * Gives all rights; by default the user password (ISO 32000-1, 7.6.3.4, algorithm 3, step a). Without either it is
   * random, because everyone who opened the document with the empty password would be its owner.
   */
  readonly ownerPassword?: string;
  /** /P, from `encodePermissions`. */
  readonly permissions: number;
  /** False leaves XMP metadata readable; true by default. */
  readonly encryptMetadata?: boolean;
  /** The first half of /ID, where the document has one; random by default. */
  readonly id?: Uint8Array;
  /** Source of keys, salts and initialisation vectors; `node:crypto` by default. */
  readonly random?: Random;
}

/** A new encryption. */
export interface Security {
  /** For the trailer's /Encrypt; must be written unencrypted. */
  readonly dict: PDFDict;
  /** Must be the first half of the trailer's /ID: the old keys depend on it. */
  readonly id: Uint8Array;
  readonly cipher: ObjectCipher;
  /** The lowest version that a document with this encryption may claim. */
  readonly pdfVersion: '1.1' | '1.4' | '1.5' | '1.6' | '2.0';
  /** True for a new encryption: crypt filters that streams name belong to the old one and are removed. */
  readonly renewed?: true;
}

/**
 * Creates an encryption of the standard security handler: RC4-40 as revision 2 (3 where rights unknown to 2 are
 * withheld, ISO 32000-1, table 21), RC4-128 as 3 (4 with a crypt filter when metadata stays plain), AES-128 as 4,
 * AES-256 as 6. Throws INPUT_INVALID for plain metadata with RC4-40, which does not support it.
 */
export function createSecurity(options: SecurityOptions): Security {
  const { scheme, encryptMetadata = true } = options;
  if (scheme === 'RC4-40' && !encryptMetadata)
    throw new DocumentError('INPUT_INVALID', { detail: 'With 40-bit encryption metadata cannot stay unencrypted' });
  return scheme === 'AES-256' ? modern(options) : legacy(options);
}

function legacy(options: SecurityOptions): Security {
  const { context, scheme, encryptMetadata = true, random = randomBytes } = options;
  const filtered = scheme === 'AES-128' || !encryptMetadata;
  const [version, revision] =
    scheme === 'RC4-40'
      ? ([1, needsRevision3(options.permissions) ? 3 : 2] as const)
      : filtered
        ? ([4, 4] as const)
        : ([2, 3] as const);
  const keyBytes = version === 1 ? 5 : 16;
  const id = options.id ?? random(16);
  const user = padPassword(encodeLegacy(options.userPassword ?? ''));
  const owner = legacyOwnerEntry(
    { revision, keyBytes },
    padPassword(ownerOf(options, encodeLegacy) ?? random(32)),
    user,
  );
  const permissions = tidyPermissions(options.permissions, revision);
  const keys = { revision, keyBytes, owner, permissions, id, encryptMetadata };
  const fileKey = legacyFileKey(keys, user);
  const dict = context.obj({
    Filter: 'Standard',
    V: version,
    R: revision,
    Length: keyBytes * 8,
    O: hex(owner),
    U: hex(legacyUserEntry(keys, fileKey)),
    P: permissions,
  });
  const method = scheme === 'AES-128' ? 'AESV2' : 'RC4';
  if (filtered) addFilter(dict, method, keyBytes, encryptMetadata);
  const pdfVersion = revision === 2 ? '1.1' : revision === 3 ? '1.4' : method === 'RC4' ? '1.5' : '1.6';
  return {
    dict,
    id,
    cipher: new StandardCipher(fileKey, filters(method, encryptMetadata), options.random),
    pdfVersion,
    renewed: true,
  };
}

function modern(options: SecurityOptions): Security {
  const { context, encryptMetadata = true, random = randomBytes } = options;
  const fileKey = random(32);
  const permissions = tidyPermissions(options.permissions, 6);
  const { user, owner, userKey, ownerKey } = modernEntries(
    fileKey,
    encodeModern(options.userPassword ?? ''),
    ownerOf(options, encodeModern),
    random,
  );
  const sealed = sealPermissions(fileKey, permissions, encryptMetadata, random);
  const dict = context.obj({
    Filter: 'Standard',
    V: 5,
    R: 6,
    Length: 256,
    O: hex(owner),
    OE: hex(ownerKey),
    U: hex(user),
    UE: hex(userKey),
    P: permissions,
    Perms: hex(sealed),
  });
  addFilter(dict, 'AESV3', 32, encryptMetadata);
  return {
    dict,
    id: options.id ?? random(16),
    cipher: new StandardCipher(fileKey, filters('AESV3', encryptMetadata), options.random),
    pdfVersion: '2.0',
    renewed: true,
  };
}

function ownerOf(
  { ownerPassword = '', userPassword = '' }: SecurityOptions,
  encode: (password: string) => Uint8Array,
): Uint8Array | undefined {
  const password = ownerPassword === '' ? userPassword : ownerPassword;
  return password === '' ? undefined : encode(password);
}

function filters(method: CryptMethod, encryptMetadata: boolean): CryptFilters {
  return {
    ...uniform(method, encryptMetadata),
    named: new Map([
      [PDFName.of('Identity'), 'none'],
      [PDFName.of('StdCF'), method],
    ]),
  };
}

function addFilter(dict: PDFDict, method: CryptMethod, keyBytes: number, encryptMetadata: boolean): void {
  const { context } = dict;
  dict.set(
    PDFName.of('CF'),
    context.obj({ StdCF: { AuthEvent: 'DocOpen', CFM: method === 'RC4' ? 'V2' : method, Length: keyBytes } }),
  );
  dict.set(PDFName.of('StmF'), PDFName.of('StdCF'));
  dict.set(PDFName.of('StrF'), PDFName.of('StdCF'));
  if (!encryptMetadata) dict.set(PDFName.of('EncryptMetadata'), context.obj(false));
}

function hex(bytes: Uint8Array): PDFHexString {
  return PDFHexString.of(Buffer.from(bytes).toString('hex'));
}
