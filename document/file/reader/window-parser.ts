import {
  type PDFArray,
  PDFCatalog,
  PDFDict,
  type PDFContext,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFObjectParser,
  PDFPageLeaf,
  PDFPageTree,
  type PDFStream,
  PDFString,
} from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import { arrayOfExactly } from '../objects/entries.js';
import { endsToken, isWhite, tokenEnd } from './characters.js';
import { nameBetween } from './names.js';
import { refOf } from './references.js';

const [MAX_TEN_DIGITS, MAX_FIVE_DIGITS] = [9_999_999_999, 99_999] as const;
/** The most faults that are skipped in one object. */
const MAX_FAULTS = 100;
const [ENDOBJ, OBJ] = [Buffer.from('endobj'), Buffer.from('obj')];
const [TYPE, CATALOG, PAGES, PAGE] = [
  PDFName.of('Type'),
  PDFName.of('Catalog'),
  PDFName.of('Pages'),
  PDFName.of('Page'),
];
const STREAM = Buffer.from('stream');

type PdfLibBytes = ConstructorParameters<typeof PDFObjectParser>[0];

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isNumeric = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e;

/** The interface that pdf-lib's parser needs of its input, over a window of a buffer and without line counting. */
class Cursor {
  data: Uint8Array = new Uint8Array(0);
  /** The end of the window in `data`; nothing behind it is read. */
  end = 0;
  #at = 0;

  /** Continues in another window. */
  begin(data: Uint8Array, from: number, end: number): void {
    this.data = data;
    this.end = end;
    this.#at = from;
  }
  moveTo(offset: number): void {
    this.#at = offset;
  }
  next(): number | undefined {
    return this.peekAt(this.#at++);
  }
  assertNext(expected: number): number {
    if (this.peek() !== expected) throw new SyntaxError(`no ${String.fromCharCode(expected)} at ${this.#at}`);
    this.#at++;
    return expected;
  }
  peek(): number | undefined {
    return this.#at < this.end ? this.data[this.#at] : undefined;
  }
  peekAhead(steps: number): number | undefined {
    return this.peekAt(this.#at + steps);
  }
  peekAt(offset: number): number | undefined {
    return offset < this.end ? this.data[offset] : undefined;
  }
  done(): boolean {
    return this.#at >= this.end;
  }
  offset(): number {
    return this.#at;
  }
  slice(start: number, end: number): Uint8Array {
    return this.data.slice(start, end);
  }
  position(): { line: number; column: number; offset: number } {
    return { line: 0, column: this.#at, offset: this.#at };
  }
}

/**
 * Parses objects, one after another, from windows of a file with pdf-lib's parser. Does not read stream data
 * (`streamAt` is the end of the keyword `stream`), limits nesting, values and strings (PDF_NESTING, PDF_ARRAY_TOO_LONG,
 * PDF_STRING_TOO_LONG), and accepts lower-case escapes in names and malformed numbers.
 */
export class WindowParser extends PDFObjectParser {
  /** True once a string was read: in an encrypted document it is ciphertext. */
  hasStrings = false;
  /** True once something was skipped. */
  broken = false;
  /** True once a reference became null because its number belongs to a newly added object. */
  nulled = false;
  /** Position in the data right after the keyword `stream`, when the object is a stream. */
  streamAt: number | undefined;
  readonly #cursor: Cursor;
  /** The elements of the arrays that are open, those of the innermost last, and how many they are. */
  readonly #elements: PDFObject[] = [];
  #collected = 0;
  #nesting = 0;
  #values = 0;
  #faults = 0;

  readonly #context: PDFContext;

  /** `keep` returns false when a reference to this number must become null. */
  constructor(
    context: PDFContext,
    private readonly keep: (number: number) => boolean,
  ) {
    const cursor = new Cursor();
    super(cursor as unknown as PdfLibBytes, context);
    this.#cursor = cursor;
    this.#context = context;
  }

  /** Continues in another window: the bytes of `data` between two positions, and forgets what it knows of the last. */
  begin(data: Uint8Array, from: number, end: number): void {
    this.#cursor.begin(data, from, end);
    this.hasStrings = false;
    this.broken = false;
    this.nulled = false;
    this.streamAt = undefined;
    this.#collected = 0;
    this.#nesting = 0;
    this.#values = 0;
    this.#faults = 0;
  }

  /** The end of the parsed text in the data. */
  get offset(): number {
    return this.#cursor.offset();
  }

  /** True when `endobj` follows, or a page's stream. */
  endsObject(): boolean {
    this.skipWhitespaceAndComments();
    return this.streamAt !== undefined || this.#isAt(ENDOBJ);
  }

  /** As pdf-lib does, without a call for each byte. */
  protected override skipWhitespaceAndComments(): void {
    const { data, end } = this.#cursor;
    let at = this.#cursor.offset();
    for (; at < end && (isWhite(data[at]) || data[at] === 0x25); at++)
      if (data[at] === 0x25) while (at < end && data[at] !== 0x0a && data[at] !== 0x0d) at++;
    this.#cursor.moveTo(Math.min(at, end));
  }

  override parseObject(): PDFObject {
    if (++this.#nesting > bounds.nesting) throw new DocumentError('PDF_NESTING', { limit: bounds.nesting });
    if (++this.#values > bounds.values) throw new DocumentError('PDF_ARRAY_TOO_LONG', { limit: bounds.values });
    const object = this.#parseByFirstByte();
    this.#nesting--;
    return object;
  }

  /** Chooses by the first byte, where pdf-lib tries one type after another. */
  #parseByFirstByte(): PDFObject {
    this.skipWhitespaceAndComments();
    const byte = this.#cursor.peek();
    if (isNumeric(byte)) return this.#parseNumberOrRef();
    switch (byte) {
      case 0x2f:
        return this.parseName();
      case 0x28:
        return this.parseString();
      case 0x5b:
        return this.parseArray();
      case 0x3c:
        return this.#cursor.peekAhead(1) === 0x3c ? this.parseDictOrStream() : this.parseHexString();
      default:
        return super.parseObject();
    }
  }

  protected override parseDictOrStream(): PDFDict | PDFStream {
    const dict = this.parseDict();
    if (this.#nesting > 1) return dict;
    this.skipWhitespaceAndComments();
    if (!this.#isAt(STREAM)) return dict;
    this.streamAt = this.#cursor.offset() + STREAM.length;
    this.#cursor.moveTo(this.streamAt);
    return dict;
  }

  /** As pdf-lib does, but without room for more elements: V8 reserves 16 for the first, and most arrays are boxes. */
  protected override parseArray(): PDFArray {
    const cursor = this.#cursor;
    cursor.assertNext(0x5b);
    const first = this.#collected;
    for (;;) {
      this.skipWhitespaceAndComments();
      if (cursor.peek() === 0x5d) break;
      const element = this.parseObject();
      this.#elements[this.#collected++] = element;
    }
    cursor.next();
    const array = arrayOfExactly(this.#context, this.#elements.slice(first, this.#collected));
    this.#collected = first;
    return array;
  }

  /**
   * As pdf-lib does, but skips invalid content (`broken`), as viewers do; ends at `>>`, `endobj`, the next `obj` or the
   * window's end.
   */
  protected override parseDict(): PDFDict {
    const cursor = this.#cursor;
    cursor.moveTo(cursor.offset() + 2);
    const map = new Map<PDFName, PDFObject>();
    for (;;) {
      this.skipWhitespaceAndComments();
      const byte = cursor.peek();
      if (byte === 0x3e && cursor.peekAhead(1) === 0x3e) {
        cursor.moveTo(cursor.offset() + 2);
        break;
      }
      if (byte === 0x2f) this.#parseEntry(map);
      else if (!this.#skipNonsense()) break;
    }
    const type = map.get(TYPE);
    if (type === CATALOG) return PDFCatalog.fromMapWithContext(map, this.#context);
    if (type === PAGES) return PDFPageTree.fromMapWithContext(map, this.#context);
    if (type === PAGE) return PDFPageLeaf.fromMapWithContext(map, this.#context);
    return PDFDict.fromMapWithContext(map, this.#context);
  }

  #parseEntry(map: Map<PDFName, PDFObject>): void {
    const key = this.parseName();
    const nesting = this.#nesting;
    const collected = this.#collected;
    this.skipWhitespaceAndComments();
    // A key without a value counts as absent.
    if (this.#cursor.peek() === 0x3e) return;
    try {
      map.set(key, this.parseObject());
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      this.#nesting = nesting;
      this.#collected = collected;
      this.#fault();
    }
  }

  /** Skips a token that is not a key; false where the dictionary must have ended. */
  #skipNonsense(): boolean {
    this.#fault();
    const { data, end } = this.#cursor;
    const from = this.#cursor.offset();
    if (from >= end || this.#isAt(ENDOBJ) || this.#isAt(OBJ)) return false;
    this.#cursor.moveTo(endsToken(data[from]) ? from + 1 : tokenEnd(data, from, end));
    return true;
  }

  /** True where this word follows. */
  #isAt(word: Uint8Array): boolean {
    const at = this.#cursor.offset();
    for (let i = 0; i < word.length; i++) if (this.#cursor.peekAt(at + i) !== word[i]) return false;
    return true;
  }

  #fault(): void {
    this.broken = true;
    if (++this.#faults > MAX_FAULTS) throw new SyntaxError('too many faults');
  }

  protected override parseString(): PDFString {
    this.hasStrings = true;
    const { data, end } = this.#cursor;
    const from = this.#cursor.offset() + 1;
    let depth = 1;
    let at = from;
    for (; at < end && depth > 0; at++) {
      const byte = data[at];
      if (byte === 0x5c) at++;
      else if (byte === 0x28) depth++;
      else if (byte === 0x29) depth--;
    }
    this.#cursor.moveTo(Math.min(at, end));
    if (depth > 0) throw new SyntaxError('unterminated string');
    refuseLong(at - 1 - from);
    const text = Buffer.from(data.buffer, data.byteOffset + from, at - 1 - from).toString('latin1');
    // Any line end in a literal string is a line feed (ISO 32000-1, 7.3.4.2), which pdf-lib leaves as it is.
    return PDFString.of(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text);
  }

  protected override parseHexString(): PDFHexString {
    this.hasStrings = true;
    const { data, end: last } = this.#cursor;
    const from = this.#cursor.offset() + 1;
    let end = from;
    while (end < last && data[end] !== 0x3e) end++;
    this.#cursor.moveTo(Math.min(end + 1, last));
    if (end >= last) throw new SyntaxError('unterminated string');
    refuseLong(end - from);
    const digits = Buffer.from(data.buffer, data.byteOffset + from, end - from).toString('latin1');
    // White space between the digits is ignored (ISO 32000-1, 7.3.4.3); pdf-lib would read it as zeros.
    if (/^[\da-f]*$/i.test(digits)) return PDFHexString.of(digits);
    if (/[^\da-f\s\0]/i.test(digits)) this.broken = true;
    return PDFHexString.of(digits.replaceAll(/[^\da-f]/gi, ''));
  }

  protected override parseName(): PDFName {
    const { data } = this.#cursor;
    this.#cursor.assertNext(0x2f);
    const from = this.#cursor.offset();
    const to = tokenEnd(data, from, this.#cursor.end);
    this.#cursor.moveTo(to);
    return nameBetween(data, from, to);
  }

  protected override parseRawNumber(): number {
    const { data, end } = this.#cursor;
    const from = this.#cursor.offset();
    let to = from;
    // Most numbers are short integers.
    for (let value = 0; to - from < 15; to++) {
      const byte = to < end ? data[to] : undefined;
      if (isDigit(byte)) value = value * 10 + (byte ?? 0) - 0x30;
      else if (to === from || isNumeric(byte)) break;
      else {
        this.#cursor.moveTo(to);
        return value;
      }
    }
    while (to < end && isNumeric(data[to])) to++;
    if (to === from) throw new SyntaxError(`no number at ${from}`);
    this.#cursor.moveTo(to);
    return numberOf(Buffer.from(data.buffer, data.byteOffset + from, to - from).toString('latin1'));
  }

  #parseNumberOrRef(): PDFObject {
    const first = this.parseRawNumber();
    const after = this.#cursor.offset();
    if (!Number.isInteger(first) || first < 0) return numberObject(first);
    this.skipWhitespaceAndComments();
    const lookahead = this.#cursor.offset();
    if (lookahead > after && isDigit(this.#cursor.peek())) {
      const second = this.parseRawNumber();
      this.skipWhitespaceAndComments();
      if (this.#cursor.peek() === 0x52 && Number.isInteger(second) && endsToken(this.#cursor.peekAhead(1))) {
        this.#cursor.next();
        // A reference that no cross-reference could hold leads nowhere, and could not be written again.
        if (first > MAX_TEN_DIGITS || second > MAX_FIVE_DIGITS) return PDFNull;
        if (this.keep(first)) return refOf(first, second);
        this.nulled = true;
        return PDFNull;
      }
    }
    this.#cursor.moveTo(lookahead);
    return numberObject(first);
  }
}

function refuseLong(length: number): void {
  if (length > bounds.stringBytes)
    throw new DocumentError('PDF_STRING_TOO_LONG', { found: length, limit: bounds.stringBytes });
}

/** Numbers are never changed, and pdf-lib writes each as text when it is made. */
const small = Array.from({ length: 4096 }, (): PDFNumber | undefined => undefined);

function numberObject(value: number): PDFNumber {
  // -0 is no index.
  if (!Number.isInteger(value) || value < 0 || value >= small.length || Object.is(value, -0))
    return PDFNumber.of(value);
  return (small[value] ??= PDFNumber.of(value));
}

/** Reads `--5` as -5, `1.2.3` as 1.2 and a lone sign or point as 0, as viewers do. */
function numberOf(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  const [, sign = '', digits = ''] = /^([+-]*)(\d*\.?\d*)/.exec(text) ?? [];
  const value = Number.parseFloat(digits);
  if (!Number.isFinite(value)) return 0;
  return sign.startsWith('-') ? -value : value;
}
