/** White space must surround the operator that starts an inline image's data. */
const inlineImage = /(?:^|[\s\]>/])ID[\s]/;

/**
 * Returns the characters that close the strings, arrays and dictionaries that content leaves open, innermost first;
 * empty for complete content. Otherwise following content would be read as part of them. After an inline image, which
 * may hold any bytes, the answer is empty.
 */
export function unclosed(content: Uint8Array): string {
  const open: string[] = [];
  for (let at = 0; at < content.length; at++) {
    switch (content[at]) {
      case 0x28: {
        const { end, depth } = stringFrom(content, at);
        if (depth > 0)
          return inlineImage.test(Buffer.from(content).toString('latin1'))
            ? ''
            : `${')'.repeat(depth)}${open.reverse().join('')}`;
        at = end;
        break;
      }
      case 0x25:
        while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++;
        break;
      case 0x3c:
        if (content[at + 1] === 0x3c) at++;
        open.push(content[at] === 0x3c && content[at - 1] === 0x3c ? '>>' : '>');
        break;
      case 0x3e: {
        const last = open.at(-1);
        if (last === '>>' && content[at + 1] === 0x3e) at++;
        if (last === '>>' || last === '>') open.pop();
        break;
      }
      case 0x5b:
        open.push(']');
        break;
      case 0x5d:
        if (open.at(-1) === ']') open.pop();
        break;
      default:
    }
    if (open.length > MAX_OPEN) return '';
  }
  return open.length === 0 || inlineImage.test(Buffer.from(content).toString('latin1')) ? '' : open.reverse().join('');
}

/** Deepest nesting of operands; deeper ones are not content. */
const MAX_OPEN = 64;

/** Literal strings nest brackets and escape with a backslash (ISO 32000-1, 7.3.4.2). */
function stringFrom(content: Uint8Array, start: number): { end: number; depth: number } {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return { end: at, depth };
  }
  return { end: content.length, depth };
}
