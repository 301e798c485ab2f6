import { isWhite, tokenEnd } from '../file/reader/index.js';
import { endOfImageData } from './inline-image.js';
import { ContentName, type ContentDict, type InlineImage, type Operand, type Operator } from './operands.js';

/** Arrays and dictionaries within each other; what lies deeper is passed over. */
const MAX_NESTING = 64;
/** Operands kept of one operator and of one array; the oldest operands are forgotten, as viewers do. */
const MAX_OPERANDS = 65_536;
const MAX_ELEMENTS = 1_000_000;
/** Names repeat; a page has few different ones. */
const MAX_NAMES = 4096;

const [CLOSE_ARRAY, CLOSE_DICT] = [Symbol('array'), Symbol('dictionary')];
/** A keyword that is not an operand. */
class Word {
  constructor(readonly text: string) {}
}
type Token = Operand | Word | typeof CLOSE_ARRAY | typeof CLOSE_DICT | undefined;

/** Hears tokens by their places in the content, each once, in order. */
export interface TokenListener {
  /** The line end is left out. */
  readonly comment?: (from: number, to: number) => void;
  /** Operands, keys and values of dictionaries, entries of inline images; `text` is without slash and escapes. */
  readonly name?: (from: number, to: number, text: string) => void;
  readonly string?: (from: number, to: number, bytes: Uint8Array) => void;
}

/**
 * Reads decoded content (ISO 32000-1, 7.8.2) operator by operator, on demand: nothing is kept but the operator at hand,
 * so content of any length can be walked. It never throws: what makes no sense belongs to no operator, and `splice`
 * keeps it as it is. The several streams of a page are read joined by white space (`pageContent`).
 */
export class ContentLexer implements Iterable<Operator> {
  readonly #data: Uint8Array;
  readonly #names = new Map<string, ContentName>();
  readonly #words = new Map<string, Word>();
  /** Bytes that inline images may still be inflated to while their ends are looked for. */
  readonly #allowance = { left: 256 * 1024 * 1024 };
  #at: number;

  constructor(
    data: Uint8Array,
    from = 0,
    private readonly listener: TokenListener = {},
  ) {
    this.#data = data;
    this.#at = from;
  }

  *[Symbol.iterator](): Iterator<Operator> {
    for (let operator = this.next(); operator !== undefined; operator = this.next()) yield operator;
  }

  /** Returns the next operator, or undefined at the end. Trailing operands without an operator are ignored. */
  next(): Operator | undefined {
    let operands: Operand[] = [];
    let start = -1;
    for (;;) {
      this.#skipBlanks();
      const from = this.#at;
      const token = this.#token(0);
      if (token === undefined) return undefined;
      if (token instanceof Word) {
        if (token.text === 'BI') return this.#inlineImage(from);
        return { name: token.text, operands, start: start < 0 ? from : start, end: this.#at };
      }
      if (token === CLOSE_ARRAY || token === CLOSE_DICT) {
        // A stray bracket: what stands before it belongs to nothing any more.
        operands = [];
        start = -1;
        continue;
      }
      if (start < 0) start = from;
      if (operands.length === MAX_OPERANDS) operands = operands.slice(MAX_OPERANDS / 2);
      operands.push(token as Operand);
    }
  }

  #skipBlanks(): void {
    const data = this.#data;
    for (; this.#at < data.length; this.#at++) {
      const byte = data[this.#at];
      if (byte === 0x25) {
        const start = this.#at;
        while (this.#at < data.length && data[this.#at] !== 0x0a && data[this.#at] !== 0x0d) this.#at++;
        this.listener.comment?.(start, this.#at);
      } else if (!isWhite(byte)) return;
    }
  }

  /** One token from here, an array or dictionary being one; undefined at the end of the data. */
  #token(depth: number): Token {
    const data = this.#data;
    for (;;) {
      this.#skipBlanks();
      const byte = data[this.#at];
      switch (byte) {
        case undefined:
          return undefined;
        case 0x28:
          return this.#literalString();
        case 0x2f:
          return this.#name();
        case 0x5b:
          return this.#array(depth);
        case 0x5d:
          this.#at++;
          return CLOSE_ARRAY;
        case 0x3c:
          return data[this.#at + 1] === 0x3c ? this.#dictionary(depth) : this.#hexString();
        case 0x3e:
          this.#at += data[this.#at + 1] === 0x3e ? 2 : 1;
          return CLOSE_DICT;
        case 0x29:
        case 0x7b:
        case 0x7d:
          // Brackets that open or close nothing.
          this.#at++;
          continue;
        default:
          return this.#regular();
      }
    }
  }

  #regular(): Token {
    const data = this.#data;
    const from = this.#at;
    const end = tokenEnd(data, from);
    this.#at = end;
    const number = readNumber(data, from, end);
    if (number !== undefined) return number;
    const text = latin1(data, from, end);
    switch (text) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        return remembered(this.#words, text, () => new Word(text));
    }
  }

  #name(): ContentName {
    const from = this.#at + 1;
    this.#at = tokenEnd(this.#data, from);
    const written = latin1(this.#data, from, this.#at);
    const name = remembered(
      this.#names,
      written,
      () =>
        new ContentName(
          written.includes('#')
            ? written.replaceAll(/#([\da-f]{2})/gi, (_whole, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              )
            : written,
        ),
    );
    this.listener.name?.(from - 1, this.#at, name.text);
    return name;
  }

  /** ISO 32000-1, 7.3.4.2. A string without end goes to the end of the data, and no operator comes after it. */
  #literalString(): Uint8Array {
    const data = this.#data;
    const from = this.#at + 1;
    let at = from;
    let plain = true;
    for (let depth = 1; at < data.length; at++) {
      const byte = data[at];
      if (byte === 0x5c) {
        plain = false;
        at++;
      } else if (byte === 0x0d) plain = false;
      else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) break;
    }
    const end = Math.min(at, data.length);
    this.#at = Math.min(end + 1, data.length);
    const bytes = plain ? data.subarray(from, end) : unescaped(data, from, end);
    this.listener.string?.(from - 1, this.#at, bytes);
    return bytes;
  }

  #hexString(): Uint8Array {
    const data = this.#data;
    const from = this.#at + 1;
    const close = data.indexOf(0x3e, from);
    const end = close < 0 ? data.length : close;
    this.#at = Math.min(end + 1, data.length);
    const digits = latin1(data, from, end).replaceAll(/[^\da-f]/gi, '');
    const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
    this.listener.string?.(from - 1, this.#at, bytes);
    return bytes;
  }

  /** Ends at its bracket, at an operator that it cannot contain, or at the end of the data. */
  #array(depth: number): Operand[] {
    this.#at++;
    const elements: Operand[] = [];
    for (;;) {
      this.#skipBlanks();
      const from = this.#at;
      const token = depth >= MAX_NESTING ? this.#flat() : this.#token(depth + 1);
      if (token === undefined || token === CLOSE_ARRAY) return elements;
      if (token === CLOSE_DICT) continue;
      if (token instanceof Word) {
        // `[ (a) (b) TJ`: the bracket is missing, and the operator stands. Other words are passed over.
        if (token.text !== 'TJ' && token.text !== 'd' && token.text !== 'ET') continue;
        this.#at = from;
        return elements;
      }
      if (elements.length < MAX_ELEMENTS) elements.push(token as Operand);
    }
  }

  #dictionary(depth: number): ContentDict {
    this.#at += 2;
    const entries = new Map<string, Operand>();
    let key: string | undefined;
    for (;;) {
      const token = depth >= MAX_NESTING ? this.#flat() : this.#token(depth + 1);
      if (token === undefined || token === CLOSE_DICT) return entries;
      if (token === CLOSE_ARRAY || token instanceof Word) continue;
      if (key === undefined) key = token instanceof ContentName ? token.text : undefined;
      else {
        entries.set(key, token as Operand);
        key = undefined;
      }
    }
  }

  /** A token where nothing may be nested any deeper: brackets are passed over one by one. */
  #flat(): Token {
    for (;;) {
      this.#skipBlanks();
      const byte = this.#data[this.#at];
      if (byte === 0x5b || (byte === 0x3c && this.#data[this.#at + 1] === 0x3c)) this.#at += byte === 0x5b ? 1 : 2;
      else return this.#token(MAX_NESTING);
    }
  }

  /** ISO 32000-1, 8.9.7; the word `BI` was read. */
  #inlineImage(start: number): Operator {
    const data = this.#data;
    const dict = new Map<string, Operand>();
    let key: string | undefined;
    for (;;) {
      this.#skipBlanks();
      const from = this.#at;
      const token = this.#token(0);
      // Without ID it was no image: what follows is read as content.
      if (token === undefined || (token instanceof Word && token.text !== 'ID')) {
        this.#at = token === undefined ? data.length : from;
        return { name: 'BI', operands: [], start, end: token === undefined ? data.length : from };
      }
      if (token instanceof Word) break;
      if (token === CLOSE_ARRAY || token === CLOSE_DICT) continue;
      if (key === undefined) key = token instanceof ContentName ? token.text : undefined;
      else {
        dict.set(key, token as Operand);
        key = undefined;
      }
    }
    // One white-space character belongs to ID; a line end of two counts as one.
    let dataStart = this.#at;
    if (data[dataStart] === 0x0d && data[dataStart + 1] === 0x0a) dataStart += 2;
    else if (isWhite(data[dataStart])) dataStart++;
    const { dataEnd, end } = endOfImageData(data, dataStart, dict, this.#allowance);
    this.#at = end;
    const image: InlineImage = { dict, dataStart, dataEnd };
    return { name: 'BI', operands: [], start, end, image };
  }
}

/** A number as careless writers write it too: `--5` is -5, a lone sign or point is 0; undefined for a word. */
function readNumber(data: Uint8Array, from: number, end: number): number | undefined {
  const first = data[from]!;
  if (first > 0x39 || first < 0x2b) return undefined;
  let value = 0;
  let at = from;
  const negative = first === 0x2d;
  if (negative || first === 0x2b) at++;
  const digits = at;
  for (; at < end; at++) {
    const digit = data[at]! - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (at === end && at > digits) return negative ? -value : value;
  for (let i = at; i < end; i++) {
    const byte = data[i]!;
    if (byte !== 0x2e && byte !== 0x2d && byte !== 0x2b && (byte < 0x30 || byte > 0x39)) return undefined;
  }
  const text = latin1(data, from, end);
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  const [, sign = '', body = ''] = /^([+-]*)(\d*\.?\d*)/.exec(text) ?? [];
  const parsed = Number.parseFloat(body);
  if (!Number.isFinite(parsed)) return 0;
  return sign.startsWith('-') ? -parsed : parsed;
}

/** Resolves escapes; any line end becomes a line feed, and one after a backslash is dropped. */
function unescaped(data: Uint8Array, from: number, end: number): Uint8Array {
  const out = new Uint8Array(end - from);
  let to = 0;
  for (let at = from; at < end; at++) {
    let byte = data[at]!;
    if (byte === 0x5c) {
      byte = data[++at] ?? 0;
      if (at >= end) break;
      if (byte === 0x0d || byte === 0x0a) {
        if (byte === 0x0d && data[at + 1] === 0x0a) at++;
        continue;
      }
      if (byte >= 0x30 && byte <= 0x37) {
        let value = byte - 0x30;
        for (let i = 0; i < 2 && at + 1 < end; i++) {
          const digit = data[at + 1]! - 0x30;
          if (digit < 0 || digit > 7) break;
          value = value * 8 + digit;
          at++;
        }
        byte = value & 0xff;
      } else byte = ESCAPES[byte] ?? byte;
    } else if (byte === 0x0d) {
      if (data[at + 1] === 0x0a) at++;
      byte = 0x0a;
    }
    out[to++] = byte;
  }
  return out.subarray(0, to);
}

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09, 0x62: 0x08, 0x66: 0x0c };

function latin1(data: Uint8Array, from: number, end: number): string {
  // Most words and names are a few bytes, for which a Buffer is a detour.
  if (end - from > 8) return Buffer.from(data.buffer, data.byteOffset + from, end - from).toString('latin1');
  let text = '';
  for (let i = from; i < end; i++) text += String.fromCharCode(data[i]!);
  return text;
}

function remembered<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (map.size < MAX_NAMES) map.set(key, made);
  return made;
}
