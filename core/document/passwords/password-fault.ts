import { LEGACY_BYTES, MODERN_BYTES, prepare } from './encode.js';
import { encodePdfDoc } from './pdf-doc-encoding.js';

/** Characters that prepare to nothing are few; what is this long (in UTF-16) is too long in any form, and not worth preparing. */
const SURELY_TOO_LONG = 1024;
/** What preparing leaves out (RFC 3454, table B.1); a zero width space becomes a blank instead. */
const NOTHING = /^(?:[\u00ad\u034f\u1806\u2060\ufeff]|[\u180b-\u180d]|\u200c|\u200d|[\ufe00-\ufe0f])+$/;

/**
 * Says why a document cannot be locked with this password, as what it must be; undefined when it can, and for the empty one. Readers cut longer
 * ones off, each at its own place, and a character that they cannot encode they replace: whoever locks so may lock himself out, or everybody in.
 */
export function passwordFault(password: string, keyBits: number): string | undefined {
  if (password === '') return undefined;
  if (password.length > SURELY_TOO_LONG) return tooLong(keyBits);
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'must not hold control characters, line ends or halves of characters';
  if (keyBits === 256) {
    if (NOTHING.test(password)) return 'must hold a character that counts: soft hyphens, joiners and the like do not (RFC 4013)';
    // RFC 4013 wants text of two directions in an order that people don't type; it is taken as it is, as readers take it.
    return Buffer.byteLength(prepare(password) ?? password, 'utf8') > MODERN_BYTES ? tooLong(keyBits) : undefined;
  }
  if (Array.from(password).length > LEGACY_BYTES) return tooLong(keyBits);
  return encodePdfDoc(password) === undefined ? 'must be made of Western characters (PDFDocEncoding) with a key of 40 or 128 bits; a key of 256 bits takes any' : undefined;
}

function tooLong(keyBits: number): string {
  return keyBits === 256 ? `must be at most ${MODERN_BYTES} bytes long in UTF-8` : `must be at most ${LEGACY_BYTES} characters long with a key of 40 or 128 bits; a key of 256 bits takes ${MODERN_BYTES} bytes of UTF-8`;
}
