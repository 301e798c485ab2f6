import {
  PDFArray,
  PDFBool,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { stringBytes } from '../encryption/index.js';
import { DocumentError } from '../../errors.js';
import { eachEntry } from '../objects/index.js';
import type { ByteWriter } from './byte-writer.js';

/** Nesting of direct objects; the reader's limit is lower, so deeper nesting is a circle. */
const MAX_NESTING = 1000;
const BYTE_RANGE = PDFName.of('ByteRange');
const CONTENTS = PDFName.of('Contents');
const LENGTH = PDFName.of('Length');

/**
 * Returns the number under which a referenced object is written, with generation 0; 0 for a missing object, written as
 * null.
 */
export type Renumber = (ref: PDFRef) => number;
/** Encrypts a string of the object that is being written. */
export type StringCipher = (bytes: Uint8Array) => Uint8Array;

/**
 * Writes pdf-lib's objects as bytes (ISO 32000-1, 7.3), with white space only where tokens would run together.
 * References go through `renumber` if given; dictionary entries whose object is missing are omitted, which is
 * equivalent to null.
 */
export class Serialiser {
  /** True when the next token could run into the last byte. */
  #open = false;
  #nesting = 0;
  #cipher: StringCipher | undefined;
  /** One for all dictionaries, and one for those of streams: most need no other. */
  readonly #plainEntry = (value: PDFObject, key: PDFName): void => this.#entry(key, value, false);
  readonly #streamEntry = (value: PDFObject, key: PDFName): void => {
    if (key !== LENGTH) this.#entry(key, value, false);
  };

  constructor(
    private readonly out: ByteWriter,
    private readonly renumber?: Renumber,
  ) {}

  /**
   * Writes one object without its stream data, strings through the cipher. Throws PDF_NESTING for one that contains
   * itself.
   */
  object(object: PDFObject, cipher?: StringCipher): void {
    this.#begin(cipher);
    this.#value(object);
  }

  /** Writes the dictionary of a stream with data of this length. */
  streamDictionary(dict: PDFDict, length: number, cipher?: StringCipher): void {
    this.#begin(cipher);
    this.#dict(dict, length);
  }

  #begin(cipher: StringCipher | undefined): void {
    this.#open = false;
    this.#nesting = 0;
    this.#cipher = cipher;
  }

  #value(object: PDFObject): void {
    if (object instanceof PDFName) this.#delimited(object.asString());
    else if (object instanceof PDFRef) this.#reference(object);
    else if (object instanceof PDFNumber) this.#regular(numberText(object));
    else if (object instanceof PDFDict) this.#dict(object, undefined);
    else if (object instanceof PDFArray) this.#array(object);
    else if (object instanceof PDFString) this.#string(object);
    else if (object instanceof PDFHexString) this.#hexString(object);
    else if (object instanceof PDFBool) this.#regular(object.asBoolean() ? 'true' : 'false');
    else if (object instanceof PDFStream) this.#dict(object.dict, undefined);
    else if (object === PDFNull) this.#regular('null');
    else this.#foreign(object);
  }

  #reference(ref: PDFRef): void {
    if (this.renumber === undefined) {
      this.#regular(`${ref.objectNumber} ${ref.generationNumber} R`);
      return;
    }
    this.#numbered(this.renumber(ref));
  }

  #numbered(number: number): void {
    this.#regular(number === 0 ? 'null' : `${number} 0 R`);
  }

  /** `length`: of the data, for the dictionary of a stream. */
  #dict(dict: PDFDict, length: number | undefined): void {
    this.#enter();
    this.out.text('<<');
    // The /ByteRange depends on the length of a signature's /Contents, which is never encrypted (ISO 32000-1, 7.6.1).
    const signature = this.#cipher !== undefined && dict.has(BYTE_RANGE);
    if (!signature) eachEntry(dict, length === undefined ? this.#plainEntry : this.#streamEntry);
    else
      eachEntry(dict, (value, key) => {
        if (length === undefined || key !== LENGTH) this.#entry(key, value, key === CONTENTS);
      });
    if (length !== undefined) {
      this.#delimited('/Length');
      this.#regular(`${length}`);
    }
    this.out.text('>>');
    this.#leave();
  }

  #entry(key: PDFName, value: PDFObject, plain: boolean): void {
    if (value === PDFNull) return;
    if (this.renumber !== undefined && value instanceof PDFRef) {
      const number = this.renumber(value);
      if (number === 0) return;
      this.#delimited(key.asString());
      this.#numbered(number);
      return;
    }
    this.#delimited(key.asString());
    const cipher = this.#cipher;
    if (plain) this.#cipher = undefined;
    this.#value(value);
    this.#cipher = cipher;
  }

  #array(array: PDFArray): void {
    this.#enter();
    this.out.byte(0x5b);
    for (let i = 0; i < array.size(); i++) this.#value(array.get(i));
    this.out.byte(0x5d);
    this.#leave();
  }

  #string(string: PDFString): void {
    if (this.#cipher !== undefined) return this.#secret(this.#cipher(stringBytes(string)));
    this.out.byte(0x28);
    this.out.text(balanced(string.asString()));
    this.out.byte(0x29);
    this.#open = false;
  }

  #hexString(string: PDFHexString): void {
    if (this.#cipher !== undefined) return this.#secret(this.#cipher(stringBytes(string)));
    this.out.byte(0x3c);
    this.out.text(string.asString());
    this.out.byte(0x3e);
    this.#open = false;
  }

  #secret(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    this.out.byte(0x28);
    this.out.text(text.replaceAll(/[\\()\r]/g, (character) => (character === '\r' ? '\\r' : `\\${character}`)));
    this.out.byte(0x29);
    this.#open = false;
  }

  /** Objects that pdf-lib could not parse, and subclasses from elsewhere. */
  #foreign(object: PDFObject): void {
    const bytes = new Uint8Array(object.sizeInBytes());
    object.copyBytesInto(bytes, 0);
    if (this.#open) this.out.byte(0x20);
    this.out.bytes(bytes);
    this.#open = true;
  }

  /** A token that begins with a delimiter and ends without one: a name. */
  #delimited(text: string): void {
    this.out.text(text);
    this.#open = true;
  }

  #regular(text: string): void {
    if (this.#open) this.out.byte(0x20);
    this.out.text(text);
    this.#open = true;
  }

  #enter(): void {
    if (++this.#nesting > MAX_NESTING) throw new DocumentError('PDF_NESTING', { limit: MAX_NESTING });
    this.#open = false;
  }

  #leave(): void {
    this.#nesting--;
    this.#open = false;
  }
}

/** Integers beyond the range of readers are written as reals, non-finite numbers as 0. */
function numberText(number: PDFNumber): string {
  const value = number.asNumber();
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return number.toString();
  return Number.isFinite(value) ? `${number.toString()}.0` : '0';
}

/** The bytes of a stream as they are in a file. */
export function contentsOf(stream: PDFStream): Uint8Array {
  // pdf-lib's getContents copies a raw stream's bytes.
  return stream instanceof PDFRawStream ? stream.contents : stream.getContents();
}

/** A literal string may contain balanced parentheses; others, which would end it early or never, are escaped. */
function balanced(text: string): string {
  if (!/[()\\]/.test(text)) return text;
  let depth = 0;
  let escaped = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (escaped) escaped = false;
    else if (code === 0x5c) escaped = true;
    else if (code === 0x28) depth++;
    else if (code === 0x29 && --depth < 0) break;
  }
  if (depth === 0 && !escaped) return text;
  return text.replaceAll(/\\[^]?|[()]/g, (found) =>
    found === '\\' ? '\\\\' : found.length === 1 ? `\\${found}` : found,
  );
}
