import { ContentLexer } from '../index.js';
import { tokenEnd } from '../../file/reader/index.js';
import { unclosed } from './unclosed.js';

/** How a content stream leaves the graphics state stack (ISO 32000-1, 8.4.2). */
export interface StateBalance {
  /** How many more `Q` than `q` were met at the worst point. */
  readonly underflow: number;
  /** `q` minus `Q` over the whole content. */
  readonly net: number;
}

/** Counts `q` and `Q` in decoded page content; strings, names, comments and inline image data do not count. */
export function stateBalance(content: Uint8Array): StateBalance {
  const { net, underflow } = skim(content) ?? lexed(content);
  return { net, underflow };
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

/** What content leaves open at its end. */
export interface Ending extends StateBalance {
  /** Characters that close unfinished operands, innermost first. */
  readonly closing: string;
}

/** As `stateBalance`, with what closes strings, arrays and dictionaries that the content leaves open. */
export function endingOf(content: Uint8Array): Ending {
  const skimmed = skim(content);
  const { net, underflow } = skimmed ?? lexed(content);
  return { net, underflow, closing: skimmed?.open === false ? '' : unclosed(content) };
}

/** The bytes that matter outside of strings and comments, by the numbers that follow. */
const MARKS = '(%<>[]qQB';
const [STRING, COMMENT, LESS, GREATER, ARRAY, ARRAY_END, SAVE, RESTORE, BEGIN_IMAGE] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/** Operands nested deeper are left to `unclosed`. */
const MAX_OPEN = 64;
const kinds = new Uint8Array(256);
for (const [i, mark] of [...MARKS].entries()) kinds[mark.charCodeAt(0)] = i + 1;

/**
 * Counts without making anything of what stands between, at many times the speed of the lexer, and says whether an
 * operand may be open at the end; undefined for content with inline images, whose data could be anything.
 */
function skim(content: Uint8Array): (StateBalance & { readonly open: boolean }) | undefined {
  let [net, underflow] = [0, 0];
  const open: number[] = [];
  let deep = false;
  for (let at = 0; at < content.length; at++) {
    const kind = kinds[content[at] ?? 0];
    switch (kind) {
      case 0:
        break;
      case STRING:
        at = endOfString(content, at);
        if (at === content.length) return { net, underflow, open: true };
        break;
      case COMMENT:
        while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++;
        break;
      case SAVE:
        if (isAlone(content, at, at + 1)) net++;
        break;
      case RESTORE:
        if (isAlone(content, at, at + 1)) underflow = Math.max(underflow, -(--net));
        break;
      case BEGIN_IMAGE:
        if (content[at + 1] === 0x49 && isAlone(content, at, at + 2)) return undefined;
        break;
      case GREATER:
      case ARRAY_END:
        if (open.at(-1) === kind) open.pop();
        break;
      case LESS:
        // A dictionary counts as two strings, one within the other.
        open.push(GREATER);
        break;
      case ARRAY:
        open.push(ARRAY_END);
    }
    if (open.length > MAX_OPEN) {
      deep = true;
      open.length = 0;
    }
  }
  return { net, underflow, open: deep || open.length > 0 };
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
