import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { decryptStream, decryptStrings, stringBytes, unlock, type Unlocked } from '../encryption/index.js';
import { DocumentError } from '../../errors.js';

const ENCRYPT = PDFName.of('Encrypt');
const ID = PDFName.of('ID');

/** A document's encryption, opened by what its trailer says. */
export interface Decryption {
  readonly security: Unlocked;
  /** Gives what was parsed at a place of the file decrypted; objects of object streams are not to be given. */
  readonly decrypt: (ref: PDFRef, parsed: { readonly object: PDFObject; readonly hasStrings: boolean }) => PDFObject;
}

/**
 * Opens the encryption that a trailer names; undefined where it names none, or an object that the file has not (which
 * is null: ISO 32000-1,
 * 7.3.10); `has` knows. Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_PUBLIC_KEY, PDF_ENCRYPTION_UNSUPPORTED; PDF_DAMAGED when
 * the dictionary is there and cannot be read, since ciphertext must not pass for text.
 */
export function openDecryption(
  trailer: PDFDict,
  password: string | undefined,
  has: (ref: PDFRef) => boolean,
): Decryption | undefined {
  const named = trailer.get(ENCRYPT);
  const encrypt = trailer.lookup(ENCRYPT);
  if (!(encrypt instanceof PDFDict)) {
    if (encrypt === PDFNull || named === undefined || (encrypt === undefined && named instanceof PDFRef && !has(named)))
      return undefined;
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'its encryption dictionary cannot be read' });
  }
  const security = unlock({ encrypt, id: firstId(trailer), ...(password === undefined ? {} : { password }) });
  const { cipher } = security;
  return {
    security,
    decrypt: (ref, { object, hasStrings }) => {
      // Read again (to be compared, say), its strings are the file's own too.
      if (ref === named) return object;
      // A cross-reference stream is never encrypted, nor is what its dictionary says (ISO 32000-1, 7.5.8.2).
      if (object instanceof PDFRawStream && object.dict.get(PDFName.of('Type')) === PDFName.of('XRef')) return object;
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
