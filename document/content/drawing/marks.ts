/** A table that is 1 for these bytes: a scan looks each byte up and stops at few, which is faster than comparing. */
export function marks(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(characters, 'latin1')) table[byte] = 1;
  return table;
}

const IN_STRING = marks('()\\');

/**
 * Follows a literal string from its first bracket; brackets nest, a backslash escapes (ISO 32000-1, 7.3.4.2). `end`:
 * where its last one stands; the end of the content if `depth` of them are missing.
 */
export function literalString(content: Uint8Array, start: number): { readonly end: number; readonly depth: number } {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at]!;
    if (IN_STRING[byte] === 0) continue;
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (--depth === 0) return { end: at, depth };
  }
  return { end: content.length, depth };
}

/** Where a comment ends: before the end of its line. */
export function endOfComment(content: Uint8Array, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++;
  return at;
}
