import { endOfComment, literalString, marks } from './marks.js';

const OPENING = marks('(%<>[]');
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
    const byte = content[at]!;
    if (OPENING[byte] === 0) continue;
    switch (byte) {
      case 0x28: {
        const { end, depth } = literalString(content, at);
        if (depth > 0)
          return inlineImage.test(Buffer.from(content).toString('latin1'))
            ? ''
            : `${')'.repeat(depth)}${open.reverse().join('')}`;
        at = end;
        break;
      }
      case 0x25:
        at = endOfComment(content, at);
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
