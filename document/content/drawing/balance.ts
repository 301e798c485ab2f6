import { ContentLexer } from '../index.js';
import { tokenEnd } from '../../file/reader/index.js';

/** How a content stream leaves the graphics state stack (ISO 32000-1, 8.4.2). */
export interface StateBalance {
  /** How many more `Q` than `q` were met at the worst point. */
  readonly underflow: number;
  /** `q` minus `Q` over the whole content. */
  readonly net: number;
}

/** Counts `q` and `Q` in decoded page content; strings, names, comments and inline image data do not count. */
export function stateBalance(content: Uint8Array): StateBalance {
  return skimmed(content) ?? lexed(content);
}

function lexed(content: Uint8Array): StateBalance {
  let net = 0;
  let underflow = 0;
  for (const { name } of new ContentLexer(content)) {
    if (name === 'q') net++;
    else if (name === 'Q') underflow = Math.max(underflow, -(--net));
  }
  return { net, underflow };
}

/**
 * The same without making anything of what stands between, ten times as fast; undefined for content with inline images,
 * whose data could be anything.
 */
function skimmed(content: Uint8Array): StateBalance | undefined {
  let net = 0;
  let underflow = 0;
  for (let at = 0; at < content.length; at++) {
    switch (content[at]) {
      case 0x28:
        at = endOfString(content, at);
        break;
      case 0x25:
        while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++;
        break;
      case 0x71:
        if (isAlone(content, at, at + 1)) net++;
        break;
      case 0x51:
        if (isAlone(content, at, at + 1)) underflow = Math.max(underflow, -(--net));
        break;
      case 0x42:
        if (content[at + 1] === 0x49 && isAlone(content, at, at + 2)) return undefined;
    }
  }
  return { net, underflow };
}

/** Where the bracket stands that closes the one here; brackets nest, a backslash escapes (ISO 32000-1, 7.3.4.2). */
function endOfString(content: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at;
  }
  return content.length;
}

/** True for a whole word; behind a slash it is a name. */
function isAlone(content: Uint8Array, start: number, end: number): boolean {
  return (
    content[start - 1] !== 0x2f &&
    (start === 0 || tokenEnd(content, start - 1) === start - 1) &&
    tokenEnd(content, start) === end
  );
}
