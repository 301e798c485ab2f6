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

const [TYPE, XREF] = [PDFName.of('Type'), PDFName.of('XRef')];
const ENCRYPT = PDFName.of('Encrypt');
const ID = PDFName.of('ID');

/** A document's opened encryption. */
export interface Decryption {
  readonly security: Unlocked;
  /** Decrypts an object parsed at a position of the file; must not be called for objects of object streams. */
  readonly decrypt: (ref: PDFRef, parsed: { readonly object: PDFObject; readonly hasStrings: boolean }) => PDFObject;
}

/**
 * Opens the encryption that a trailer names; undefined where it names none, or an object that is not in the file (which
 * is null: ISO 32000-1, 7.3.10), as `has` reports. Throws PDF_ENCRYPTED, PDF_ENCRYPTION_PUBLIC_KEY,
 * PDF_ENCRYPTION_UNSUPPORTED; PDF_DAMAGED for an unreadable dictionary, so that ciphertext is never taken for text.
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
      // The encryption dictionary's strings are never encrypted, also when it is read again (for comparison).
      if (ref === named) return object;
      // Cross-reference streams and their dictionaries are never encrypted (ISO 32000-1, 7.5.8.2).
      if (object instanceof PDFRawStream && object.dict.get(TYPE) === XREF) return object;
      if (!(object instanceof PDFRawStream)) return hasStrings ? decryptStrings(cipher, ref, object) : object;
      if (hasStrings) decryptStrings(cipher, ref, object.dict);
      return decryptStream(cipher, ref, object);
    },
  };
}

/** Copies the encryption from another trailer, where a damaged file's newest trailer does not name it. */
export function inheritEncryption(trailer: PDFDict, from: PDFDict): void {
  for (const key of [ENCRYPT, ID]) {
    const value = from.get(key);
    if (value !== undefined && !trailer.has(key)) trailer.set(key, value);
  }
}

/** The first half of /ID; empty where it is missing. */
function firstId(trailer: PDFDict): Uint8Array {
  const id = trailer.lookup(ID);
  const first = id instanceof PDFArray && id.size() > 0 ? id.lookup(0) : undefined;
  return first instanceof PDFString || first instanceof PDFHexString ? stringBytes(first) : new Uint8Array(0);
}
