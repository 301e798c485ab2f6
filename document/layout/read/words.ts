import type { Box } from '../model.js';
import type { Word, WordStyle } from '../page-content.js';
import type { PageFrame } from './frame.js';
import { type BidiLine, type BidiPart, bidiLines } from './bidi/bidi-lines.js';
import { isRightToLeftCode } from './bidi/kinds.js';
import { cleanLetters } from './letters.js';
import type { Scratch } from './scratch.js';
import type { StyleTable } from './styles.js';

/** Most letters of one page that are read. */
const MAX_CHARACTERS = 1_000_000;
/** A gap in a line of so much of the font size parts words; so far across it is another line. */
const GAP = 0.8;
const ACROSS = 0.6;
/** A gap within a word of a line in logical order, where its direction changes. */
const APART = 0.4;
/** Letters so near (in sizes) are of one word, line end or not. */
const TOUCHING = 0.12;
/** PDFium's marks of a hyphen that divides a word, and the soft hyphen. */
const HYPHENS: ReadonlySet<number> = new Set([2, 0xfffe, 0xad]);

interface Look {
  readonly style: WordStyle;
  /** Degrees, clockwise on the page as it is shown. */
  readonly angle: number;
  readonly mcid: number;
}

/** A word that is being put together. */
interface Open extends Look {
  letters: string;
  /** True while all letters are printable ASCII. */
  plain: boolean;
  left: number;
  top: number;
  right: number;
  bottom: number;
  readonly baseline: number;
  readonly spaced: boolean;
  readonly startsLine: boolean;
  /**
   * Number of letters on the wrong side of the one before, minus those on the right side: positive if they are not in
   * logical order.
   */
  turned: number;
  backwards: number;
  last: number;
  /** Of a line that is read in logical order. */
  readonly bidi: BidiPart | undefined;
}

/**
 * Reads the words of an open text page. What is outside the page is left out. `rtl`: the document's language is written
 * from right to left.
 */
export function readWords(scratch: Scratch, text: number, frame: PageFrame, styles: StyleTable, rtl?: boolean): Word[] {
  return new WordReader(scratch, text, frame, styles, rtl).read();
}

/** Puts the letters of a page together to words, in the order of PDFium. */
class WordReader {
  readonly #words: WordCollector;
  readonly #exports: Scratch['pdfium']['pdfium']['wasmExports'];
  readonly #count: number;
  #index = 0;
  #open: Open | undefined;
  /** One object for the boxes of all letters, of which a page may have a million. */
  readonly #box = { left: 0, top: 0, right: 0, bottom: 0 };
  #object = 0;
  #look: Look | undefined;
  #spaced = true;
  #startsLine = true;
  /**
   * A line end that the reading has within a word; on pages that PDFium takes for vertical writing there is one behind
   * each letter.
   */
  #broken = false;
  /** Lines with right-to-left letters; undefined until the first one is met. */
  #bidiLines: BidiLine[] | undefined;
  #bidi: BidiPart | undefined;

  constructor(
    readonly scratch: Scratch,
    readonly text: number,
    readonly frame: PageFrame,
    readonly styles: StyleTable,
    readonly rtl: boolean | undefined,
  ) {
    this.#words = new WordCollector(frame);
    this.#exports = scratch.pdfium.pdfium.wasmExports;
    this.#count = Math.min(MAX_CHARACTERS, scratch.pdfium.FPDFText_CountChars(text));
  }

  read(): Word[] {
    for (; this.#index < this.#count; this.#index++) {
      const code = this.#exports.FPDFText_GetUnicode(this.text, this.#index);
      if (this.#bidiLines === undefined && isRightToLeftCode(code)) return this.#readAgain();
      if (this.#bidiLines?.[0]?.from === this.#index) this.#takeLine(this.#bidiLines.shift()!);
      else if (isLineEnd(code)) this.#takeLineEnd();
      else if (HYPHENS.has(code)) this.#takeHyphen(code);
      else if (isSpace(code)) this.#endAtSpace();
      else this.#takeLetter(this.#wholeCode(code));
    }
    this.#flush(false);
    return this.#words.words;
  }

  /** Reads a page with right-to-left letters, now that their lines are in logical order. */
  #readAgain(): Word[] {
    const again = new WordReader(this.scratch, this.text, this.frame, this.styles, this.rtl);
    again.#bidiLines = bidiLines(this.scratch, this.text, this.#count, this.rtl);
    return again.read();
  }

  /** Takes the letters of a line with right-to-left letters. */
  #takeLine({ to, parts }: BidiLine): void {
    this.#flush(false);
    for (const part of parts) {
      if (part !== parts[0]) this.#endAtSpace();
      this.#bidi = part;
      for (const { index, text } of part.letters) {
        if (index === undefined) this.#endAtSpace();
        else {
          this.#index = index;
          this.#takeLetter(text.codePointAt(0) ?? 0);
        }
      }
    }
    this.#endAtSpace();
    this.#bidi = undefined;
    this.#index = to - 1;
  }

  #takeLineEnd(): void {
    if (this.#open === undefined) this.#startsLine = this.#spaced = true;
    else this.#broken = true;
  }

  #takeHyphen(code: number): void {
    // Within a line a soft hyphen shows nothing.
    if (code === 0xad && !this.#endsLine()) return;
    const divides = this.#open !== undefined;
    this.#flush(true);
    if (divides) this.#startsLine = this.#spaced = true;
  }

  #endAtSpace(): void {
    this.#flush(false);
    this.#spaced = true;
  }

  #flush(divided: boolean): void {
    if (this.#open !== undefined) this.#words.add(this.#open, divided);
    if (this.#broken) this.#startsLine = this.#spaced = true;
    this.#open = undefined;
    this.#broken = false;
  }

  /** True where nothing of the line follows. */
  #endsLine(): boolean {
    const next = this.#index + 1;
    return next >= this.#count || isLineEnd(this.#exports.FPDFText_GetUnicode(this.text, next));
  }

  /** Joins the two halves of a surrogate pair, and goes on to the second. */
  #wholeCode(code: number): number {
    if (code < 0xd800 || code > 0xdbff || this.#index + 1 >= this.#count) return code;
    const low = this.#exports.FPDFText_GetUnicode(this.text, this.#index + 1);
    if (low < 0xdc00 || low > 0xdfff) return code;
    this.#index++;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }

  #takeLetter(code: number): void {
    const object = this.#exports.FPDFText_GetTextObject(this.text, this.#index);
    const box = object === 0 ? undefined : this.#boxOfLetter();
    if (box === undefined) return;
    const look = this.#lookOf(object);
    if (this.#open !== undefined) this.#endBefore(this.#open, code, box, look);
    const letter = code > 0x10ffff ? '' : String.fromCodePoint(code);
    if (this.#open === undefined) this.#open = this.#begin(letter, box, look);
    else extend(this.#open, letter, code, box);
    if (code < 0x20 || code > 0x7e) this.#open.plain = false;
  }

  /** The letter's place on the page as it is shown, until the next letter; undefined where it has none. */
  #boxOfLetter(): Box | undefined {
    const { scratch } = this;
    if (!this.#exports.FPDFText_GetLooseCharBox(this.text, this.#index, scratch.at)) return undefined;
    const { floats } = scratch;
    const [x1, y1, x2, y2] = [floats[0]!, floats[1]!, floats[2]!, floats[3]!];
    const { matrix } = this.frame;
    const [ma, mb, mc, md] = [matrix[0], matrix[1], matrix[2], matrix[3]];
    const box = this.#box;
    box.left = Math.min(ma * x1, ma * x2) + Math.min(mc * y1, mc * y2) + matrix[4];
    box.right = Math.max(ma * x1, ma * x2) + Math.max(mc * y1, mc * y2) + matrix[4];
    box.top = Math.min(mb * x1, mb * x2) + Math.min(md * y1, md * y2) + matrix[5];
    box.bottom = Math.max(mb * x1, mb * x2) + Math.max(md * y1, md * y2) + matrix[5];
    return box.right >= box.left && box.bottom >= box.top ? box : undefined;
  }

  #lookOf(object: number): Look {
    if (object !== this.#object || this.#look === undefined) {
      this.#object = object;
      this.#look = {
        style: this.styles.of(this.scratch, this.text, object, this.#index, this.frame.unit),
        // PDFium counts clockwise.
        angle: this.frame.angle(-this.#exports.FPDFText_GetCharAngle(this.text, this.#index)),
        mcid: this.#exports.FPDFPageObj_GetMarkedContentID(object),
      };
    }
    return this.#look;
  }

  /** Ends the open word where this letter is not of it. */
  #endBefore(open: Open, code: number, box: Box, look: Look): void {
    const upright = open.angle === 0 || open.angle === 180;
    const level = Math.max(box.left - open.right, open.left - box.right);
    const plumb = Math.max(box.top - open.bottom, open.top - box.bottom);
    const [along, across] = upright ? [level, plumb] : [plumb, level];
    const size = open.style.size || 1;
    const changed = look.style !== open.style || look.mcid !== open.mcid || look.angle !== open.angle;
    const slanted = open.angle % 90 !== 0;
    if (open.bidi !== undefined) {
      // A part of the other direction is elsewhere: what is one word to read is two places.
      if (changed || along > size * APART) this.#flush(false);
      return;
    }
    if (this.#broken) {
      // Behind it, as the script runs, or before it where letters from the right come as they stand.
      const behind = !upright || isRightToLeft(code) ? Math.abs(along) : Math.abs(box.left - open.right);
      if (!changed && !slanted && across < -0.5 * size && behind < TOUCHING * size) this.#broken = false;
    }
    if (this.#broken) this.#flush(false);
    else if (!slanted && (across > size * ACROSS || along > size * GAP)) {
      this.#endAtSpace();
      if (across > size * ACROSS) this.#startsLine = true;
    } else if (changed) this.#flush(false);
  }

  #begin(letters: string, box: Box, look: Look): Open {
    const { scratch } = this;
    this.#exports.FPDFText_GetCharOrigin(this.text, this.#index, scratch.at, scratch.at + 8);
    const [ox = 0, oy = 0] = scratch.doubles;
    const [x, y] = this.frame.point(ox, oy);
    const [spaced, startsLine] = [this.#spaced, this.#startsLine];
    this.#spaced = this.#startsLine = false;
    return {
      letters,
      plain: true,
      left: box.left,
      top: box.top,
      right: box.right,
      bottom: box.bottom,
      baseline: look.angle === 90 || look.angle === 270 ? x : y,
      style: look.style,
      angle: look.angle,
      mcid: look.mcid,
      spaced,
      startsLine,
      turned: 0,
      backwards: 0,
      last: box.left,
      bidi: this.#bidi,
    };
  }
}

function extend(open: Open, letter: string, code: number, { left, top, right, bottom }: Box): void {
  open.letters += letter;
  // Combining marks are at their letter, and only upright text runs from left to right.
  if (left !== open.last && open.angle === 0 && open.bidi === undefined) {
    if (isRightToLeft(code)) open.turned += left > open.last ? 1 : -1;
    else open.backwards += left < open.last ? 1 : -1;
  }
  open.last = left;
  if (left < open.left) open.left = left;
  if (right > open.right) open.right = right;
  if (top < open.top) open.top = top;
  if (bottom > open.bottom) open.bottom = bottom;
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13;
const isSpace = (code: number): boolean =>
  code <= 32 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000;
/** Hebrew and Arabic. */
const isRightToLeft = (code: number): boolean => code >= 0x590 && code <= 0x8ff;

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;
/** Words that are the same and so near (points) are drawn twice: to look bold, or with a shadow. */
const TWICE = 1.2;
/** More squares of that size than a page has from top to bottom. */
const SQUARES = 2 ** 26;

/** Keeps what is on the page, and of what is drawn twice the first. */
class WordCollector {
  readonly words: Word[] = [];
  /** Squares in which a text begins, by angle and text. */
  readonly #places = new Map<string, Set<number>>();

  constructor(readonly frame: PageFrame) {}

  add(open: Open, divided: boolean): void {
    const { letters, left, top, right, bottom, baseline, angle, style, spaced, startsLine, mcid, bidi } = open;
    const reversed = open.plain || !RIGHT_TO_LEFT.test(letters) ? open.backwards > 0 : open.turned > 0;
    const logical = reversed ? [...letters].reverse().join('') : letters;
    const text = open.plain ? logical : cleanLetters(logical);
    const box = withHeight({ left, top, right, bottom }, baseline, angle, style.size);
    if (text === '' || !isSeen(box, this.frame.width, this.frame.height) || this.#isTwice(text, angle, left, top))
      return;
    this.words.push({
      text,
      box,
      baseline,
      angle,
      style,
      spaced,
      startsLine: startsLine || reversed,
      divided,
      mcid,
      ...(bidi === undefined ? {} : { bidi: { part: bidi.base, at: this.words.length } }),
    });
  }

  /** Each word notes the square that it begins in; those around its beginning are looked up. */
  #isTwice(text: string, angle: number, left: number, top: number): boolean {
    // A text has no line feed.
    const key = angle === 0 ? text : `${angle}\n${text}`;
    const places = this.#places.get(key);
    if (places === undefined) {
      this.#places.set(key, new Set([squareOf(left, top)]));
      return false;
    }
    for (const x of [left - TWICE, left + TWICE])
      for (const y of [top - TWICE, top + TWICE]) if (places.has(squareOf(x, y))) return true;
    places.add(squareOf(left, top));
    return false;
  }
}

/** Number of the square of sides of `2 * TWICE` around a point. */
function squareOf(x: number, y: number): number {
  const side = 2 * TWICE;
  return Math.floor(x / side) * SQUARES + Math.floor(y / side);
}

/** Box of text in a font without metrics, with the height of typical fonts. */
function withHeight(box: Box, baseline: number, angle: number, size: number): Box {
  const level = angle === 0 || angle === 180;
  if (angle % 90 !== 0 || (level ? box.bottom - box.top : box.right - box.left) > 0.3 * size) return box;
  const [up, down] = [0.8 * size, 0.2 * size];
  switch (angle) {
    case 0:
      return { ...box, top: Math.min(box.top, baseline - up), bottom: Math.max(box.bottom, baseline + down) };
    case 180:
      return { ...box, top: Math.min(box.top, baseline - down), bottom: Math.max(box.bottom, baseline + up) };
    case 90:
      return { ...box, left: Math.min(box.left, baseline - up), right: Math.max(box.right, baseline + down) };
    default:
      return { ...box, left: Math.min(box.left, baseline - down), right: Math.max(box.right, baseline + up) };
  }
}

/** True for text the middle of which is on the page. */
function isSeen({ left, top, right, bottom }: Box, width: number, height: number): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= 0 && x <= width && y >= 0 && y <= height;
}
