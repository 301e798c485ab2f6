import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFObject, PDFRawStream, type PDFRef, PDFString } from 'pdf-lib';
import { decryptStream, decryptStrings, stringBytes, unlock, type Unlocked } from '../encryption/index.js';

const ENCRYPT = PDFName.of('Encrypt');
const ID = PDFName.of('ID');

/** A document's encryption, opened by what its trailer says. */
export interface Decryption {
  readonly security: Unlocked;
  /** Gives what was parsed at a place of the file decrypted; objects of object streams are not to be given. */
  readonly decrypt: (ref: PDFRef, parsed: { readonly object: PDFObject; readonly hasStrings: boolean }) => PDFObject;
}

/**
 * Opens the encryption that a trailer names; undefined where there is none, also when its dictionary is lost.
 * Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_PUBLIC_KEY, PDF_ENCRYPTION_UNSUPPORTED.
 */
export function openDecryption(trailer: PDFDict, password: string | undefined): Decryption | undefined {
  const named = trailer.get(ENCRYPT);
  const encrypt = trailer.lookup(ENCRYPT);
  if (!(encrypt instanceof PDFDict)) return undefined;
  const security = unlock({ encrypt, id: firstId(trailer), ...(password === undefined ? {} : { password }) });
  const { cipher } = security;
  return {
    security,
    decrypt: (ref, { object, hasStrings }) => {
      // Read again (to be compared, say), its strings are the file's own too.
      if (ref === named) return object;
      if (!(object instanceof PDFRawStream)) return hasStrings ? decryptStrings(cipher, ref, object) : object;
      if (hasStrings) decryptStrings(cipher, ref, object.dict);
      return decryptStream(cipher, ref, object);
    },
  };
}

/** Gives a trailer the encryption of another, where a broken file's newest does not name it. */
export function inheritEncryption(trailer: PDFDict, from: PDFDict): void {
  for (const key of [ENCRYPT, ID]) {
    const value = from.get(key);
    if (value !== undefined && !trailer.has(key)) trailer.set(key, value);
  }
}

/** The first half of /ID; keys are made of nothing where it is missing. */
function firstId(trailer: PDFDict): Uint8Array {
  const id = trailer.lookup(ID);
  const first = id instanceof PDFArray && id.size() > 0 ? id.lookup(0) : undefined;
  return first instanceof PDFString || first instanceof PDFHexString ? stringBytes(first) : new Uint8Array(0);
}
