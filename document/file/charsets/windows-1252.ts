/**
 * The characters of 0x80 to 0x9f, blanks for unassigned codes. Node's TextDecoder treats these bytes as Latin 1, which
 * has controls there.
 */
export const UPPER_WINDOWS = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Decodes windows-1252 (WHATWG Encoding, 9); unassigned codes become those of Latin 1, as in browsers. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (control) => {
      const character = UPPER_WINDOWS[control.charCodeAt(0) - 0x80] ?? ' ';
      return character === ' ' ? control : character;
    });
}
