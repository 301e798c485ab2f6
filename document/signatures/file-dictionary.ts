import { type ByteWindows, isWhite } from '../file/reader/index.js';

/** A position in a file: the first byte, and the first byte after it. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

interface Token extends Place {
  readonly kind: 'open' | 'close' | 'string' | 'hex' | 'name' | 'word';
}

const FIRST_WINDOW = 64 * 1024;
/** No signature dictionary is larger than this; a time stamp with all its lists has some hundred kilobytes. */
const LAST_WINDOW = 64 * 1024 * 1024;
const MAX_TOKENS = 200_000;
const HEADER = /^(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/;
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (each) => each.charCodeAt(0)));

/** Where the value of an indirect object begins, given where its header should be; undefined when none is there. */
export function bodyOf(windows: ByteWindows, position: number): number | undefined {
  for (const at of [position, position - 1]) {
    const found = at < 0 ? null : HEADER.exec(windows.text(at, at + 512));
    if (found !== null) return at + found[0].length;
  }
  return undefined;
}

/**
 * Reads a dictionary where it stands in the file (ISO 32000-2, 7.3.7): each key with the places of its values, several
 * where it is written more than once. A parsed dictionary no longer shows this, but it matters for a signature: which
 * bytes are its value. Undefined if it is not a dictionary.
 */
export function placesIn(windows: ByteWindows, position: number): ReadonlyMap<string, readonly Place[]> | undefined {
  for (let length = FIRST_WINDOW; length <= LAST_WINDOW; length *= 8) {
    const bytes = windows.bytes(position, position + length);
    const tokens = tokensOf(bytes);
    if (tokens === 'none') return undefined;
    if (tokens !== 'cut') return entriesOf(bytes, tokens, position);
    if (position + bytes.length >= windows.size) return undefined;
  }
  return undefined;
}

/** The tokens of the first dictionary, up to its end; `cut` where the bytes end before it does. */
function tokensOf(bytes: Buffer): readonly Token[] | 'none' | 'cut' {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = 0; tokens.length < MAX_TOKENS;) {
    const token = nextToken(bytes, at);
    if (token === undefined) return 'cut';
    tokens.push(token);
    if (tokens.length === 1 && bytes.toString('latin1', token.start, token.end) !== '<<') return 'none';
    if (token.kind === 'open') depth++;
    if (token.kind === 'close' && --depth === 0) return tokens;
    at = token.end;
  }
  return 'none';
}

function nextToken(bytes: Buffer, from: number): Token | undefined {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x25) while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
    else if (!isWhite(byte)) break;
  }
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first === undefined || second === undefined) return undefined;
  const token = (kind: Token['kind'], end: number): Token => ({ kind, start: at, end });
  if (first === 0x28) {
    const end = stringEnd(bytes, at);
    return end === undefined ? undefined : token('string', end);
  }
  if (first === 0x3c && second !== 0x3c) {
    const end = bytes.indexOf(0x3e, at);
    return end < 0 ? undefined : token('hex', end + 1);
  }
  if (first === 0x3c || first === 0x5b) return token('open', at + (first === 0x3c ? 2 : 1));
  if (first === 0x3e || first === 0x5d) return token('close', at + (first === 0x3e && second === 0x3e ? 2 : 1));
  let end = at + 1;
  while (end < bytes.length && !isWhite(bytes[end] ?? 0) && !DELIMITERS.has(bytes[end] ?? 0)) end++;
  return end === bytes.length ? undefined : token(first === 0x2f ? 'name' : 'word', end);
}

function stringEnd(bytes: Buffer, from: number): number | undefined {
  for (let at = from, depth = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x28) depth++;
    else if (bytes[at] === 0x29 && --depth === 0) return at + 1;
  }
  return undefined;
}

function entriesOf(bytes: Buffer, tokens: readonly Token[], position: number): ReadonlyMap<string, readonly Place[]> {
  const entries = new Map<string, Place[]>();
  const text = (token: Token): string => bytes.toString('latin1', token.start, token.end);
  for (let i = 1; i < tokens.length - 1;) {
    const key = tokens[i];
    const first = tokens[i + 1];
    if (key?.kind !== 'name' || first === undefined) return entries;
    let last = i + 1;
    if (first.kind === 'open') {
      for (let depth = 0; last < tokens.length; last++) {
        const kind = tokens[last]?.kind;
        if (kind === 'open') depth++;
        if (kind === 'close' && --depth === 0) break;
      }
    } else if (first.kind === 'word') {
      // A reference is three words.
      while (tokens[last + 1]?.kind === 'word') last++;
    }
    const name = text(key)
      .slice(1)
      .replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const place = { start: position + first.start, end: position + (tokens[last]?.end ?? first.end) };
    entries.set(name, [...(entries.get(name) ?? []), place]);
    i = last + 1;
  }
  return entries;
}
