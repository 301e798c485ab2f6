import { LEGACY_BYTES, MODERN_BYTES, prepare } from './encode.js';
import { encodePdfDoc } from './pdf-doc-encoding.js';

/** What is this long in UTF-16 is too long in any form, and not worth preparing. */
const SURELY_TOO_LONG = 1024;
/** Characters that count for nothing (RFC 3454, table B.1). */
const IGNORED = /\u034f|[\u00ad\u1806\u2060\ufeff]|[\u180b-\u180d]|\u200c|\u200d|[\ufe00-\ufe0f]/;
const PREPARED =
  'must hold only characters that RFC 4013 leaves as they are, because readers disagree about others: joiners, ' +
  'ligatures, raised digits, accents on their own';

/**
 * Says why a document cannot be locked with this password, as what it must be; undefined when it can, and for the empty
 * one. Readers cut longer ones off, each at its own place, and a character that they cannot encode they replace:
 * whoever locks so may lock himself out, or everybody in.
 */
export function passwordFault(password: string, keyBits: number): string | undefined {
  if (password === '') return undefined;
  if (password.length > SURELY_TOO_LONG) return tooLong(keyBits);
  if (/[\p{Cc}\p{Cs}]/u.test(password)) return 'must not hold control characters, line ends or halves of characters';
  if (keyBits === 256) {
    const prepared = prepare(password);
    if (prepared !== undefined ? prepared !== password : IGNORED.test(password)) return PREPARED;
    // What that forbids, text of two directions in an order that people do type, say, is taken as it is: readers take
    // it so.
    return Buffer.byteLength(password, 'utf8') > MODERN_BYTES ? tooLong(keyBits) : undefined;
  }
  if (Array.from(password).length > LEGACY_BYTES) return tooLong(keyBits);
  // Readers agree about the bytes of those characters only that are the same in both.
  const encoded = encodePdfDoc(password);
  return encoded !== undefined && Buffer.from(password, 'latin1').equals(encoded)
    ? undefined
    : 'must be made of characters of Latin 1 with a key of 40 or 128 bits; a key of 256 bits takes any';
}

function tooLong(keyBits: number): string {
  return keyBits === 256
    ? `must be at most ${MODERN_BYTES} bytes long in UTF-8`
    : `must be at most ${LEGACY_BYTES} characters long with a key of 40 or 128 bits; a key of 256 bits takes ` +
        `${MODERN_BYTES} bytes of UTF-8`;
}
