/**
 * What 0x80 to 0x9f mean, blanks for codes without a character. Node's TextDecoder takes these bytes as Latin 1, which
 * has controls there.
 */
export const UPPER_WINDOWS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * Text of bytes in windows-1252 (WHATWG Encoding, 9); codes without a character become those of Latin 1, as browsers
 * have them.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (control) => {
      const character = UPPER_WINDOWS[control.charCodeAt(0) - 0x80] ?? ' ';
      return character === ' ' ? control : character;
    });
}
