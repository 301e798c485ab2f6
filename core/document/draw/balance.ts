/** How a content stream leaves the graphics state stack (ISO 32000-1, 8.4.2). */
export interface StateBalance {
  /** How many more `Q` than `q` were met at the worst point. */
  readonly underflow: number;
  /** `q` minus `Q` over the whole content. */
  readonly net: number;
}

const isWhite = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0;
const isDelimiter = (byte: number): boolean => '()<>[]{}/%'.includes(String.fromCharCode(byte));

/** Counts `q` and `Q` in decoded page content; strings, names, comments and inline image data do not count. */
export function stateBalance(content: Uint8Array): StateBalance {
  let net = 0;
  let underflow = 0;
  let at = 0;
  while (at < content.length) {
    const byte = content[at]!;
    if (isWhite(byte)) at++;
    else if (byte === 0x28) at = afterString(content, at);
    else if (byte === 0x25) at = afterLine(content, at);
    else if (byte === 0x2f) at = afterWord(content, at + 1);
    else if (isDelimiter(byte)) at++;
    else {
      const end = afterWord(content, at);
      const length = end - at;
      if (length === 1 && byte === 0x71) net++;
      else if (length === 1 && byte === 0x51) underflow = Math.max(underflow, -(--net));
      at = length === 2 && byte === 0x49 && content[at + 1] === 0x44 ? afterInlineImage(content, end) : end;
    }
  }
  return { net, underflow };
}

function afterWord(content: Uint8Array, start: number): number {
  let at = start;
  while (at < content.length && !isWhite(content[at]!) && !isDelimiter(content[at]!)) at++;
  return at;
}

function afterLine(content: Uint8Array, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++;
  return at;
}

/** Literal strings nest brackets and escape with a backslash (ISO 32000-1, 7.3.4.2). */
function afterString(content: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return content.length;
}

/** Image data ends at an `EI` between white space (ISO 32000-1, 8.9.7). */
function afterInlineImage(content: Uint8Array, start: number): number {
  for (let at = start + 1; at + 2 < content.length; at++) {
    const ends = content[at + 1] === 0x45 && content[at + 2] === 0x49 && isWhite(content[at]!);
    if (ends && (at + 3 >= content.length || isWhite(content[at + 3]!))) return at + 3;
  }
  return content.length;
}
