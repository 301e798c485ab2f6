/** Kinds of operands. */
export const NUMBER = 1;
export const NAME = 2;
export const STRINGS = 3;
export const DICTIONARY = 4;

/** No operator of ordinary content has more operands: a colour in 32 inks. */
const MAX_OPERANDS = 33;
const MAX_NESTING = 8;
/** Classes of bytes (ISO 32000-1, tables 1 and 2). */
const [REGULAR, WHITE, DELIMITER] = [0, 1, 2];
const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = WHITE!;
for (const byte of Buffer.from('()<>[]{}/%', 'latin1')) classes[byte] = DELIMITER!;

/** The codes of the last reader, for reuse: else each of thousands of pages needs as much memory as its content. */
let spareCodes: Uint8Array | undefined;
const MOST_SPARE_BYTES = 1024 * 1024;
const LEAST_BYTES = 64 * 1024;

/**
 * Reads the operators of content that is written exactly as the standard says (ISO 32000-1, 7.8.2), without an object
 * for any of them. It gives up at the first token that readers may take differently: comments, inline images, escapes
 * of line ends, odd numbers.
 */
export class PlainTokens {
  /** Operands of the operator that was read: their kinds, and values of numbers. */
  readonly kinds = new Uint8Array(MAX_OPERANDS);
  readonly numbers = new Float64Array(MAX_OPERANDS);
  count = 0;
  /** The last name among them. */
  name = '';
  /** The last dictionary among them, as it is written. */
  dictionary = '';
  /**
   * The last string or array among them: pieces of `codes` from `from` to `to`; between them, numbers, whose `to` is
   * -1 and whose value is in `shifts`.
   */
  codes: Uint8Array;
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly shifts: number[] = [];
  parts = 0;
  /** True once the content turned out to be written in another way. */
  failed = false;
  #at = 0;
  #free = 0;

  constructor(private readonly data: Uint8Array) {
    this.codes = spareCodes !== undefined && spareCodes.length >= data.length ? spareCodes : newCodes(data.length);
    spareCodes = undefined;
  }

  /** Leaves the memory of `codes` to the next reader; nothing may be read from here any more. */
  release(): void {
    if (this.codes.length <= MOST_SPARE_BYTES) spareCodes = this.codes;
  }

  /** Reads to the next operator and returns its bytes as one number, the first lowest; 0 at the end. */
  next(): number {
    const { data } = this;
    this.count = 0;
    this.parts = 0;
    this.#free = 0;
    for (;;) {
      while (this.#at < data.length && classes[data[this.#at]!] === WHITE) this.#at++;
      if (this.#at >= data.length) {
        if (this.count > 0) this.failed = true;
        return 0;
      }
      const byte = data[this.#at]!;
      if (this.count >= MAX_OPERANDS) return this.#fail();
      if (isNumeric(byte)) this.#add(NUMBER, this.#number());
      else if (byte === 0x2f) this.#add(NAME, 0, this.#name());
      else if (byte === 0x28 || (byte === 0x3c && data[this.#at + 1] !== 0x3c)) {
        this.parts = 0;
        this.#string();
        this.#add(STRINGS, 0);
      } else if (byte === 0x5b) {
        this.#array();
        this.#add(STRINGS, 0);
      } else if (byte === 0x3c) {
        const start = this.#at;
        this.#skipDictionary(0);
        this.dictionary = Buffer.from(data.buffer, data.byteOffset + start, this.#at - start).toString('latin1');
        this.#add(DICTIONARY, 0);
      } else if (classes[byte] === DELIMITER) return this.#fail();
      else return this.#word();
      if (this.failed) return 0;
    }
  }

  /** True if the operands are exactly so many numbers. */
  areNumbers(count: number): boolean {
    if (this.count !== count) return false;
    for (let i = 0; i < count; i++) if (this.kinds[i] !== NUMBER) return false;
    return true;
  }

  #add(kind: number, value: number, name?: string): void {
    this.kinds[this.count] = kind;
    this.numbers[this.count++] = value;
    if (name !== undefined) this.name = name;
  }

  #fail(): 0 {
    this.failed = true;
    return 0;
  }

  #word(): number {
    const { data } = this;
    let word = 0;
    let length = 0;
    for (; this.#at < data.length && classes[data[this.#at]!] === REGULAR; this.#at++)
      if (length++ < 3) word |= data[this.#at]! << (8 * (length - 1));
    return length > 3 ? this.#fail() : word;
  }

  /** Digits with at most one sign before and one point within them. */
  #number(): number {
    const { data } = this;
    const start = this.#at;
    let at = start;
    const sign = data[at] === 0x2d ? -1 : 1;
    if (data[at] === 0x2d || data[at] === 0x2b) at++;
    let value = 0;
    let digits = 0;
    for (; at < data.length && data[at]! >= 0x30 && data[at]! <= 0x39; at++, digits++)
      value = value * 10 + data[at]! - 0x30;
    if (data[at] === 0x2e) {
      let unit = 1;
      for (at++; at < data.length && data[at]! >= 0x30 && data[at]! <= 0x39; at++, digits++) {
        unit *= 10;
        value = value * 10 + data[at]! - 0x30;
      }
      value /= unit;
    }
    this.#at = at;
    // More digits than a number holds, and whatever follows directly.
    if (digits === 0 || digits > 15 || (at < data.length && classes[data[at]!] === REGULAR)) this.failed = true;
    return sign * value;
  }

  #name(): string {
    const { data } = this;
    const start = ++this.#at;
    while (this.#at < data.length && classes[data[this.#at]!] === REGULAR) this.#at++;
    const name = this.#isLastName(start) ? this.name : Buffer.from(data.subarray(start, this.#at)).toString('latin1');
    if (name === '' || name.includes('#')) this.failed = true;
    return name;
  }

  /** True if the last name stands here again, as that of a font mostly does. */
  #isLastName(start: number): boolean {
    const { data, name } = this;
    if (name.length !== this.#at - start) return false;
    for (let i = 0; i < name.length; i++) if (data[start + i] !== name.charCodeAt(i)) return false;
    return true;
  }

  #array(): void {
    const { data } = this;
    this.#at++;
    this.parts = 0;
    for (;;) {
      while (this.#at < data.length && classes[data[this.#at]!] === WHITE) this.#at++;
      const byte = data[this.#at];
      if (byte === 0x5d) {
        this.#at++;
        return;
      }
      if (byte !== undefined && isNumeric(byte)) this.#part(0, -1, this.#number());
      else if (byte === 0x28 || (byte === 0x3c && data[this.#at + 1] !== 0x3c)) this.#string();
      else this.failed = true;
      if (this.failed) return;
    }
  }

  #part(from: number, to: number, shift: number): void {
    this.from[this.parts] = from;
    this.to[this.parts] = to;
    this.shifts[this.parts++] = shift;
  }

  /** Copies the codes of a string to `codes`. */
  #string(): void {
    const start = this.#free;
    if (this.data[this.#at] === 0x3c) this.#hexString();
    else this.#literalString();
    this.#part(start, this.#free, 0);
  }

  #literalString(): void {
    const { data, codes } = this;
    let free = this.#free;
    let depth = 1;
    let at = this.#at + 1;
    for (; at < data.length; at++) {
      let byte = data[at]!;
      if (byte === 0x0d || byte === 0x0a) break;
      if (byte === 0x5c) {
        const next = data[++at] ?? 0;
        if (next === 0x28 || next === 0x29 || next === 0x5c) byte = next;
        else if (next <= 0x33 && isOctal(next) && isOctal(data[at + 1]) && isOctal(data[at + 2])) {
          byte = ((next - 0x30) * 64 + (data[at + 1]! - 0x30) * 8 + data[at + 2]! - 0x30) & 0xff;
          at += 2;
        } else if (ESCAPES[next] !== undefined) byte = ESCAPES[next];
        else break;
      } else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) {
        this.#at = at + 1;
        this.#free = free;
        return;
      }
      codes[free++] = byte;
    }
    this.failed = true;
  }

  #hexString(): void {
    const { data, codes } = this;
    let digits = 0;
    let byte = 0;
    let from = this.#at + 1;
    let free = this.#free;
    // Nearly all strings are nothing but pairs of digits.
    for (const last = data.length - 1; from < last; from += 2) {
      const pair = (HEX_DIGITS[data[from]!]! << 4) | HEX_DIGITS[data[from + 1]!]!;
      if (pair < 0) break;
      codes[free++] = pair;
    }
    this.#free = free;
    for (let at = from; at < data.length; at++) {
      const digit = HEX_DIGITS[data[at]!]!;
      if (digit < 0) {
        if (classes[data[at]!] === WHITE) continue;
        // An odd number of digits is legal, but a sign of a careless writer.
        this.failed ||= data[at] !== 0x3e || digits % 2 !== 0;
        this.#at = at + 1;
        return;
      }
      byte = byte * 16 + digit;
      if (++digits % 2 !== 0) continue;
      codes[this.#free++] = byte;
      byte = 0;
    }
    this.failed = true;
  }

  /** Property lists: names, numbers, strings, and arrays and dictionaries of them. */
  #skipDictionary(depth: number): void {
    const { data } = this;
    this.#at += 2;
    if (depth > MAX_NESTING) this.failed = true;
    while (!this.failed) {
      const byte = data[this.#at];
      if (byte === undefined || byte === 0x25 || byte === 0x7b || byte === 0x7d || byte === 0x29) this.failed = true;
      else if (byte === 0x3e) {
        if (data[this.#at + 1] !== 0x3e) this.failed = true;
        this.#at += 2;
        return;
      } else if (byte === 0x3c && data[this.#at + 1] === 0x3c) this.#skipDictionary(depth + 1);
      else if (byte === 0x3c || byte === 0x28) {
        const free = this.#free;
        if (byte === 0x3c) this.#hexString();
        else this.#literalString();
        this.#free = free;
      } else this.#at++;
    }
  }
}

/** Values of hexadecimal digits by their bytes; negative for all others. */
const HEX_DIGITS = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries())
  for (const form of [digit, digit.toUpperCase()]) HEX_DIGITS[form.charCodeAt(0)] = value;

const ESCAPES: Readonly<Record<number, number>> = { 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09, 0x62: 0x08, 0x66: 0x0c };

function isNumeric(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b;
}

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x37;
}

function newCodes(length: number): Uint8Array {
  return new Uint8Array(Math.max(LEAST_BYTES, length));
}
