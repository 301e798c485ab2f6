/** A password as the bytes that writers make of it; the standard's form first. */
export interface PasswordForms {
  /** Of PKCS#12's own key derivation: UTF-16, big-endian, with a terminator (RFC 7292, appendix B.1). */
  readonly wide: readonly Uint8Array[];
  /** Of PKCS#5: bytes as they are (RFC 8018). */
  readonly narrow: readonly Uint8Array[];
}

/**
 * The forms of a password. None and an empty one are the same to those who type them, and not to PKCS#12 (RFC 7292,
 * B.1): both are tried. Beyond ASCII, old versions of OpenSSL widened each byte of UTF-8, and others wrote Latin 1.
 */
export function passwordForms(password: string | undefined): PasswordForms {
  if (password === undefined || password === '')
    return { wide: [Buffer.from([0, 0]), new Uint8Array()], narrow: [new Uint8Array()] };
  const wide = widen(password);
  const utf8 = Buffer.from(password, 'utf8');
  if (/^[\0-\x7f]*$/.test(password)) return { wide: [wide], narrow: [utf8] };
  return {
    wide: [wide, widen(utf8.toString('latin1'))],
    narrow: [utf8, ...(/^[\0-\xff]*$/.test(password) ? [Buffer.from(password, 'latin1')] : [])],
  };
}

/** UTF-16, big-endian, without a terminator, as Java's own keystores hash it. */
export function utf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le').swap16();
}

function widen(text: string): Uint8Array {
  return Buffer.concat([utf16(text), Buffer.of(0, 0)]);
}
