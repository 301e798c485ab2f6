import type { Filler } from './overwrite.js';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the new value of a byte of found text; `first` is the first byte of what was found. */
export type Overwrite = (byte: number, first: number) => number;

/** Shorter ones occur in numbers by chance. */
const LEAST_BYTES = 3;
/** Each byte in lower case, if it is a letter of ASCII. */
const LOWER = Uint8Array.from({ length: 256 }, (_none, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Changes a number by less than 16 of 255: all letters become one, and all digits. */
export const soften: readonly Filler[] = [
  (byte) => (byte === 0 ? 0 : (byte & 0xe0) | 0x10),
  (byte) => (byte === 0 ? 0 : (byte & 0xe0) | 0x0f),
];
/** Repeats the first number: where numbers are names of colours, the pixels get the colour beside them. */
export const repeat: readonly Overwrite[] = [(_byte, first) => first];
/** For texts. */
export const blank: readonly Overwrite[] = [(byte) => (byte === 0 ? 0 : 0x20)];
const ZERO: Overwrite = () => 0;

/**
 * Literal terms as bytes, in Latin-1, UTF-8 and UTF-16, ignoring the case of ASCII letters; other letters as they are
 * written, in lower case and in capitals. Made for numbers that spell a text: bytes are compared, words have no limits.
 */
export class ByteTerms {
  readonly #forms: readonly Buffer[];

  constructor(terms: readonly string[]) {
    const forms = terms
      .map((term) => term.trim())
      .flatMap((term) => [term, term.toLowerCase(), term.toUpperCase(), capitalised(term)])
      .flatMap(encoded)
      .map(lower);
    this.#forms = [...new Map(forms.map((form) => [form.toString('hex'), form])).values()].filter(
      ({ length }) => length >= LEAST_BYTES,
    );
  }

  /** Returns true if data contains one of the terms that has at least so many bytes. */
  isIn(data: Uint8Array, leastBytes = LEAST_BYTES): boolean {
    if (this.#forms.length === 0) return false;
    const within = lower(data);
    return this.#forms.some((form) => form.length >= leastBytes && within.includes(form));
  }

  /** Returns a copy without these terms, written over in the first of these ways that leaves none; or undefined. */
  overwritten(data: Uint8Array, ways: readonly Overwrite[]): Uint8Array | undefined {
    const found = this.#find(data);
    if (found.length === 0) return undefined;
    const written = (way: Overwrite): Uint8Array => {
      const copy = Uint8Array.from(data);
      for (const { from, to } of found)
        for (let at = from; at < to; at++) copy[at] = way(data[at] ?? 0, data[from] ?? 0);
      return copy;
    };
    return ways.map(written).find((copy) => !this.isIn(copy)) ?? written(ZERO);
  }

  #find(data: Uint8Array): readonly Range[] {
    if (this.#forms.length === 0) return [];
    const within = lower(data);
    return this.#forms.flatMap((form) => {
      const ranges: Range[] = [];
      for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, at + 1))
        ranges.push({ from: at, to: at + form.length });
      return ranges;
    });
  }
}

export const NO_TERMS = new ByteTerms([]);

function lower(data: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafe(data.length);
  for (let i = 0; i < data.length; i++) copy[i] = LOWER[data[i]!]!;
  return copy;
}

function capitalised(term: string): string {
  const [first = '', ...rest] = term;
  return first.toUpperCase() + rest.join('').toLowerCase();
}

function encoded(term: string): Buffer[] {
  const wide = Buffer.from(term, 'utf16le');
  return [
    ...(/^[\0-\xff]*$/.test(term) ? [Buffer.from(term, 'latin1')] : []),
    Buffer.from(term, 'utf8'),
    wide,
    Buffer.from(wide).swap16(),
  ];
}
