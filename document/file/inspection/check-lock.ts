import { crc32 } from 'node:zlib';
import { PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { type LockedStream, type ObjectCipher, stringBytes, type WrittenLock } from '../encryption/index.js';
import { DocumentError } from '../../errors.js';
import type { LazyDocument } from '../reader/index.js';

/** The entries that passwords, the file's key and permissions depend on; some belong to new revisions only. */
const ENTRIES = ['V', 'R', 'Length', 'O', 'U', 'OE', 'UE', 'P', 'Perms'].map((key) => PDFName.of(key));
const ENCRYPT = PDFName.of('Encrypt');

/**
 * Compares a file, opened with its password, with what was written: both passwords have the entries that were made from
 * them, and with the key that the password gives, every stream decrypts to the data that was encrypted. Throws
 * PDF_DAMAGED.
 */
export function checkLock({ trailer, security, windows }: LazyDocument, { dict, streams }: WrittenLock): void {
  const found = trailer.lookup(ENCRYPT);
  if (security === undefined || !(found instanceof PDFDict)) throw damaged('it is not encrypted');
  const unlike = ENTRIES.find((key) => valueOf(found, key) !== valueOf(dict, key));
  if (unlike !== undefined) throw damaged(`its encryption has another ${unlike.asString()}`);
  for (const stream of streams) {
    const { position, length, ref } = stream;
    if (!decryptsTo(security.cipher, stream, windows.bytes(position, position + length)))
      throw damaged(`stream ${ref.objectNumber} cannot be decrypted`);
  }
}

function decryptsTo(cipher: ObjectCipher, { ref, dict, checksum }: LockedStream, bytes: Uint8Array): boolean {
  return crc32(cipher.decryptStream(ref, dict, bytes)) === checksum;
}

function valueOf(dict: PDFDict, key: PDFName): string | undefined {
  const value = dict.lookup(key);
  if (value instanceof PDFString || value instanceof PDFHexString)
    return Buffer.from(stringBytes(value)).toString('hex');
  return value instanceof PDFNumber ? String(value.asNumber()) : value?.toString();
}

const damaged = (detail: string): DocumentError => new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail });
