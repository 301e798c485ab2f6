/**
 * Adds all names in a content stream. Names in strings and inline images are included, since too many names are
 * harmless.
 */
export function collectNames(bytes: Uint8Array, names: Set<string>): void {
  for (let at = bytes.indexOf(0x2f); at >= 0; at = bytes.indexOf(0x2f, at)) {
    const start = ++at;
    while (at < bytes.length && isRegular(bytes[at] ?? 0)) at++;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + start, at - start).toString('latin1');
    names.add(plainName(name));
  }
}

/**
 * Returns a name without escapes. pdf-lib does not decode escapes with lower-case digits, so dictionary keys need this
 * too.
 */
export function plainName(name: string): string {
  return name.includes('#')
    ? name.replace(/#([\da-fA-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : name;
}

/** Regular characters (ISO 32000-1, 7.2.2) are neither white space nor delimiters. */
function isRegular(byte: number): boolean {
  return (
    byte > 0x20 &&
    byte !== 0x28 &&
    byte !== 0x29 &&
    byte !== 0x3c &&
    byte !== 0x3e &&
    byte !== 0x5b &&
    byte !== 0x5d &&
    byte !== 0x7b &&
    byte !== 0x7d &&
    byte !== 0x2f &&
    byte !== 0x25
  );
}
