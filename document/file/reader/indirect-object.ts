import {
  PDFCatalog,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import type { ByteWindows } from './byte-windows.js';
import { lateStream } from './late-stream.js';
import { isWhite } from './characters.js';
import { WindowParser } from './window-parser.js';

const FIRST_WINDOW = 2048;
const GROWTH = 8;
/** A parser that stops closer than this to the end of its window may have been cut off there. */
const MARGIN_BYTES = 64;
/** The least cost of a broken object in bytes: creating the error costs more than reading its bytes. */
const BROKEN_OBJECT_COST = 512;
/** Streams in a file from this size on are loaded on demand. */
const LATE_STREAM_MIN_BYTES = 16 * 1024;
const HEADER = /^(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+obj/;
const ENDS_STREAM = /^[\0\t\n\f\r ]*(?:endstream|endobj)/;
const ENDS_OBJECT = /^[\0\t\n\f\r ]*endstream(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*endobj/;

const LENGTH = PDFName.of('Length');
/** How many bytes after a stream's data are looked at. */
const END_BYTES = 64;
/** The longest header of the usual form. */
const PLAIN_HEADER_BYTES = 21;
const [OBJ, ENDSTREAM, ENDOBJ] = ['obj', 'endstream', 'endobj'].map((word) => Buffer.from(word)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** A parsed object and facts about its text in the file. */
export interface Parsed {
  readonly object: PDFObject;
  readonly hasStrings: boolean;
  /** True when a stream's /Length was wrong and its end was searched for. */
  readonly wrongLength: boolean;
  /** True when something in it was skipped. */
  readonly broken: boolean;
  /** True when something else than `endobj`, for a stream `endstream` and `endobj`, follows it. */
  readonly unended: boolean;
  /** True when a reference in it became null because its number belongs to a newly added object. */
  readonly nulled: boolean;
}

/** The header of an indirect object: `12 0 obj`. */
export interface ObjectHeader {
  readonly number: number;
  readonly generation: number;
  /** Position of the object after its header. */
  readonly bodyAt: number;
}

/** Reads objects at positions of a file, in windows that grow until the object fits. */
export class ObjectReader {
  #effort = 0;
  /** After this position the file has no `endstream`. */
  #endless = Infinity;
  #open = false;
  /** One for all objects: it has finished with one before the next is begun. */
  readonly parser: WindowParser;

  constructor(
    readonly windows: ByteWindows,
    context: PDFContext,
    /** Returns the value of an indirect /Length. */
    readonly lengthOf: (ref: PDFRef) => number | undefined,
    /** False when a reference to this number must become null. */
    keep: (number: number) => boolean,
  ) {
    this.parser = new WindowParser(context, keep);
  }

  /** True once a stream was read that only the end of the file ends. */
  get open(): boolean {
    return this.#open;
  }

  /** Reads `n g obj` at a position, after white space and comments; undefined when it is not there. */
  header(position: number): ObjectHeader | undefined {
    const { whole } = this.windows;
    const plain =
      whole === undefined
        ? plainHeader(this.windows.bytes(position, position + PLAIN_HEADER_BYTES), 0, position)
        : plainHeader(whole, position, position);
    if (plain !== undefined) return plain;
    const match =
      HEADER.exec(this.windows.text(position, position + 64)) ??
      HEADER.exec(this.windows.text(position, position + 512));
    if (match === null) return undefined;
    return { number: Number(match[1]), generation: Number(match[2]), bodyAt: position + match[0].length };
  }

  /**
   * Parses the object at a position, stream included; undefined when there is none. Throws the errors of
   * `isTooComplex`.
   */
  parseAt(position: number): Parsed | undefined {
    const { parser } = this;
    for (let length = FIRST_WINDOW; ; length *= GROWTH) {
      const origin = this.#begin(position, length);
      const complete = position + length >= this.windows.size;
      let object: PDFObject | undefined;
      try {
        object = parser.parseObject();
      } catch (error) {
        if (error instanceof DocumentError) throw error;
      }
      if (!complete && parser.offset + origin - position > length - MARGIN_BYTES) {
        if (length > FIRST_WINDOW) this.#spend(length);
        if (length >= bounds.textBytes) throw new DocumentError('PDF_OBJECT_TOO_LARGE', { limit: bounds.textBytes });
        continue;
      }
      if (object === undefined) {
        this.#spend(BROKEN_OBJECT_COST);
        return undefined;
      }
      const { hasStrings, broken, nulled, streamAt } = parser;
      if (broken) this.#spend(BROKEN_OBJECT_COST);
      // Viewers treat a page that is also a stream as a page.
      if (!(object instanceof PDFDict) || streamAt === undefined || isTreeNode(object))
        return { object, hasStrings, wrongLength: false, broken, nulled, unended: !parser.endsObject() };
      const { object: stream, wrongLength, broken: badStart, unended } = this.#stream(object, origin + streamAt);
      return { object: stream, hasStrings, wrongLength, broken: broken || badStart, nulled, unended };
    }
  }

  /** Gives the parser the window at a position; returns where in the file the data begins that it gets. */
  #begin(position: number, length: number): number {
    const { whole } = this.windows;
    if (whole !== undefined) {
      this.parser.begin(whole, Math.max(0, position), Math.min(position + length, whole.length));
      return 0;
    }
    const window = this.windows.bytes(position, position + length);
    this.parser.begin(window, 0, window.length);
    return position;
  }

  /** Counts bytes read for nothing; a file with only broken objects is rejected before it costs minutes. */
  #spend(bytes: number): void {
    this.#effort += bytes;
    const limit = bounds.searchedBytes + 2 * this.windows.size;
    if (this.#effort > limit) throw new DocumentError('PDF_TOO_BROKEN', { limit });
  }

  #stream(dict: PDFDict, afterKeyword: number): Omit<Parsed, 'hasStrings' | 'nulled'> {
    const start = this.#dataStart(afterKeyword);
    // Strict readers do not recognise a stream without a line end after the keyword.
    const broken = start === afterKeyword;
    const length = this.#declaredLength(dict);
    if (length !== undefined && start + length <= this.windows.size) {
      const end = start + length;
      const { whole } = this.windows;
      if (whole !== undefined && isPlainEnd(whole, end))
        return { object: this.#rawStream(dict, start, end), wrongLength: false, broken, unended: false };
      const after = this.windows.bytes(end, end + END_BYTES);
      const plain = isPlainEnd(after, 0);
      if (plain || ENDS_STREAM.test(after.toString('latin1'))) {
        const object = this.#rawStream(dict, start, end);
        return { object, wrongLength: false, broken, unended: !plain && !ENDS_OBJECT.test(after.toString('latin1')) };
      }
    }
    return { object: this.#rawStream(dict, start, this.#findEnd(start)), wrongLength: true, broken, unended: false };
  }

  #declaredLength(dict: PDFDict): number | undefined {
    const value = dict.get(LENGTH);
    const length =
      value instanceof PDFNumber ? value.asNumber() : value instanceof PDFRef ? this.lengthOf(value) : undefined;
    return length !== undefined && Number.isSafeInteger(length) && length >= 0 ? length : undefined;
  }

  /** `stream` is followed by CRLF or LF (ISO 32000-1, 7.3.8.1); some files have blanks before it or a lone CR. */
  #dataStart(afterKeyword: number): number {
    const { whole } = this.windows;
    // Most writers write a line feed.
    if (whole?.[afterKeyword] === 0x0a) return afterKeyword + 1;
    const bytes = this.windows.bytes(afterKeyword, afterKeyword + 16);
    let at = 0;
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
    if (bytes[at] !== 0x0d && bytes[at] !== 0x0a) return afterKeyword;
    if (bytes[at] === 0x0d) at++;
    if (bytes[at] === 0x0a) at++;
    return afterKeyword + at;
  }

  #findEnd(start: number): number {
    const found = start >= this.#endless ? -1 : this.windows.indexOf('endstream', start);
    if (found < 0) this.#endless = Math.min(this.#endless, start);
    // The earlier of the two: a stream without `endstream` must not swallow the objects up to the next stream's end.
    const sooner = this.windows.indexOf('endobj', start, found < 0 ? this.windows.size : found);
    const end = sooner < 0 ? found : sooner;
    if (end < 0) this.#open = true;
    this.#spend((end < 0 ? this.windows.size : end) - start + BROKEN_OBJECT_COST);
    if (end < 0) return this.windows.size;
    const [last, before] = [this.windows.bytes(end - 1, end)[0], this.windows.bytes(end - 2, end - 1)[0]];
    if (last === 0x0a) return Math.max(start, before === 0x0d ? end - 2 : end - 1);
    return Math.max(start, last === 0x0d ? end - 1 : end);
  }

  #rawStream(dict: PDFDict, start: number, end: number): PDFRawStream {
    const { windows } = this;
    if (windows.whole !== undefined) return PDFRawStream.of(dict, windows.bytes(start, end));
    if (end - start < LATE_STREAM_MIN_BYTES) return PDFRawStream.of(dict, new Uint8Array(windows.bytes(start, end)));
    return lateStream(dict, windows, start, end);
  }
}

/**
 * Reads a header of the form that nearly all writers use, which `HEADER` matches too: single blanks, no comments.
 * `position`: where in the file `start` is.
 */
function plainHeader(bytes: Uint8Array, start: number, position: number): ObjectHeader | undefined {
  const numberEnd = digitsEnd(bytes, start, 10);
  if (numberEnd === start || bytes[numberEnd] !== 0x20) return undefined;
  const end = digitsEnd(bytes, numberEnd + 1, 5);
  if (end === numberEnd + 1 || bytes[end] !== 0x20) return undefined;
  if (!isWordAt(bytes, end + 1, OBJ)) return undefined;
  return {
    number: numberAt(bytes, start, numberEnd),
    generation: numberAt(bytes, numberEnd + 1, end),
    bodyAt: position + end + 1 + OBJ.length - start,
  };
}

function digitsEnd(bytes: Uint8Array, from: number, most: number): number {
  let end = from;
  while (end - from < most && (bytes[end] ?? 0) >= 0x30 && (bytes[end] ?? 0) <= 0x39) end++;
  return end;
}

function numberAt(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
  return value;
}

/** True where `ENDS_STREAM` and `ENDS_OBJECT` match, from a position on, in the form that nearly all writers use. */
function isPlainEnd(data: Uint8Array, from: number): boolean {
  const last = from + END_BYTES;
  const wordAt = skipFew(data, from, last);
  const after = wordAt + ENDSTREAM.length;
  if (after > last || !isWordAt(data, wordAt, ENDSTREAM)) return false;
  const next = skipFew(data, after, last);
  // White space is needed before `endobj` only.
  return next > after && next + ENDOBJ.length <= last && isWordAt(data, next, ENDOBJ);
}

function skipFew(data: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isWhite(data[at])) at++;
  return at;
}

function isWordAt(data: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (data[at + i] !== word[i]) return false;
  return true;
}

function isTreeNode(dict: PDFDict): boolean {
  return dict instanceof PDFPageLeaf || dict instanceof PDFPageTree || dict instanceof PDFCatalog;
}

/** Returns the first position at or after `position` that is not white space. */
export function skipWhite(windows: ByteWindows, position: number): number {
  for (let at = position; at < windows.size;) {
    const piece = windows.bytes(at, at + 256);
    const found = piece.findIndex((byte) => !isWhite(byte));
    if (found >= 0) return at + found;
    at += piece.length;
  }
  return windows.size;
}
