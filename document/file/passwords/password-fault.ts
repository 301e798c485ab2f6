import { LEGACY_BYTES, MODERN_BYTES, prepare } from './encode.js';
import { encodePdfDoc } from './pdf-doc-encoding.js';

/** A password with this many UTF-16 units is too long in any encoding, and not worth preparing. */
const MAX_UTF16_UNITS = 1024;
/** Characters that SASLprep maps to nothing (RFC 3454, table B.1). */
const MAPPED_TO_NOTHING = /\u034f|[\u00ad\u1806\u2060\ufeff]|[\u180b-\u180d]|\u200c|\u200d|[\ufe00-\ufe0f]/;
const PREPARED =
  'must contain only characters that RFC 4013 does not change, because readers handle others differently: ' +
  'joiners, ligatures, superscript digits, combining accents';

/**
 * Returns why a document must not be locked with this password, as a requirement ("must ..."); undefined for a good or
 * empty one. Readers truncate longer passwords, each at a different length, and replace characters that they cannot
 * encode: the owner may be locked out, or anybody let in.
 */
export function passwordFault(password: string, keyBits: number): string | undefined {
  if (password === '') return undefined;
  if (password.length > MAX_UTF16_UNITS) return tooLong(keyBits);
  if (/[\p{Cc}\p{Cs}]/u.test(password))
    return 'must not contain control characters, line breaks or unpaired surrogates';
  if (keyBits === 256) {
    const prepared = prepare(password);
    if (prepared !== undefined ? prepared !== password : MAPPED_TO_NOTHING.test(password)) return PREPARED;
    // Text that SASLprep forbids, such as mixed directions in an order that people do type, is used unchanged, as
    // readers do.
    return Buffer.byteLength(password, 'utf8') > MODERN_BYTES ? tooLong(keyBits) : undefined;
  }
  if (Array.from(password).length > LEGACY_BYTES) return tooLong(keyBits);
  // Readers agree only about characters whose bytes are the same in both encodings.
  const encoded = encodePdfDoc(password);
  return encoded !== undefined && Buffer.from(password, 'latin1').equals(encoded)
    ? undefined
    : 'must contain only Latin 1 characters with a key of 40 or 128 bits; a key of 256 bits allows any';
}

function tooLong(keyBits: number): string {
  return keyBits === 256
    ? `must be at most ${MODERN_BYTES} bytes long in UTF-8`
    : `must be at most ${LEGACY_BYTES} characters long with a key of 40 or 128 bits; a key of 256 bits allows ` +
        `${MODERN_BYTES} bytes of UTF-8`;
}
