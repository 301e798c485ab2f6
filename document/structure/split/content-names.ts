import { nameTextBetween, tokenEnd } from '../../file/reader/index.js';

/**
 * Adds all names in a content stream. Names in strings and inline images are included, since too many names are
 * harmless. With `cut`, more follows, and a name that reaches to the end is left out.
 */
export function collectNames(bytes: Uint8Array, names: Set<string>, cut = false): void {
  for (let at = bytes.indexOf(0x2f); at >= 0; at = bytes.indexOf(0x2f, at)) {
    const start = ++at;
    at = tokenEnd(bytes, start);
    if (!cut || at < bytes.length) names.add(plainName(nameTextBetween(bytes, start, at)));
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
