import { decodeUtf16Le } from '../../file/charsets/index.js';
import { WORD_GAP } from '../gaps.js';
import { MOST_UNITS, type PlainFont, type PlainGlyph } from './plain-font.js';

/** All as shares of the font size. Gaps up to this are none for any reader, from the second one on they are blanks. */
const NO_GAP = 0.08;
const CLEAR_GAP = 0.25;
/** Gaps up to this are rounding, whatever the width of the font's blank. */
const ROUNDING = 0.02;
/** Smaller blanks and letters make readers see gaps earlier. */
const LEAST_SPACE = 0.18;
/** Lines nearer to each other than this may be one line for some readers. */
const LEAST_LEADING = 1;
/** Distances across the line that are none. */
const SAME_LINE = 0.01;
/** Sizes of letters on one line differ at most by this factor. */
const MOST_LARGER = 1.5;
/** A size in points below which text is no text for some readers. */
const LEAST_SIZE = 1;
/** No blank or line end. */
const NONE = 0;
/** Stands for a line end beside a blank: a line feed for PDFium, nothing in Quire's own readings. */
const LINE_END = 1;
/** Stands for a gap beside a blank: no text for readings. */
const WIDER_BLANK = 2;
const NEW_LINE = 0x0a;
const BLANK = 0x20;
/** At most, with a blank before it: the text of a ligature has three. */
const UNITS_PER_LETTER = MOST_UNITS + 1;
/** The highest code that a byte holds. */
const ONE_BYTE = 0xff;
/** Text this wide, as a share of all text of the page and of its largest size, tells that lines run across. */
const CLEARLY_ACROSS = 0.85;
const LEAST_ACROSS = 10;
/** Letters on a page; far more than can be read. */
const MAX_LETTERS = 200_000;

/** Units of memory that is used again, of most pages: what grows from less is copied a few times. */
const SPARE_UNITS = 32 * 1024;
let spareUnits: Uint16Array | undefined;

/** Amount of text. */
export interface TextCounts {
  /** Length in UTF-16 code units, with a line feed between lines, without leading and trailing white space. */
  readonly characters: number;
  /** Number of words separated by white space. */
  readonly words: number;
  /** Number of lines that are not blank. */
  readonly lines: number;
}

/** What a show operator starts with: its place on the page, and sizes in points. */
export interface PlainStart {
  readonly x: number;
  readonly y: number;
  /** Font size along the line. */
  readonly em: number;
  readonly font: PlainFont;
  /** Character and word spacing as shares of the font size. */
  readonly charSpacing: number;
  readonly wordSpacing: number;
}

/**
 * Collects the letters of a page in painting order, as long as there is no doubt where words and lines end: every gap
 * is either none or clearly one, every line clearly below or above the one before.
 */
export class PlainLines {
  /** False as soon as it turns out that readers may take the page differently. */
  sure = true;
  /** True while sorting the letters into lines would change nothing. */
  inOrder = true;
  /** UTF-16, and codes for blanks and line ends: adding strings would make an object for each letter. */
  #units: Uint16Array;
  #length = 0;
  #letters = 0;
  #x = 0;
  #y = 0;
  #em = 0;
  #last: PlainGlyph | undefined;
  /** Where the text of the last operator is. */
  #objectFrom = 0;
  #objectTo = 0;
  /** True if an operator shows a single letter: its direction is guessed from the page. */
  #hasSingles = false;
  #hasLineEnds = false;
  #hasHardBlanks = false;
  #left = Infinity;
  #right = -Infinity;
  #widest = 0;
  #largest = 0;

  constructor(private readonly box: readonly [number, number, number, number]) {
    this.#units = spareUnits ?? new Uint16Array(SPARE_UNITS);
    spareUnits = undefined;
  }

  /** Leaves memory to the next page; no more is shown here then. */
  release(): void {
    const units = this.#units;
    this.#units = this.sure ? units.slice(0, this.#length) : units.subarray(0, 0);
    if (units.length === SPARE_UNITS) spareUnits = units;
  }

  /** False if readers may take the page differently; call it at the end. */
  get isPlain(): boolean {
    if (!this.sure || !this.#hasSingles) return this.sure;
    const [left, , right] = this.box;
    const isInside = this.#left >= left && this.#right <= right;
    const width = Math.max(CLEARLY_ACROSS * (this.#right - this.#left), LEAST_ACROSS * this.#largest);
    return isInside && this.#widest >= width;
  }

  /** The text, and if readers differ about blanks at line ends, also with these. */
  get texts(): string[] {
    const text = this.#written(false);
    return this.#hasLineEnds ? [text, this.#written(true)] : [text];
  }

  /**
   * The lines, each with a line feed, without blanks around them and with single blanks in them, as PDFium gives them;
   * undefined with no-break spaces, which it may give as such.
   */
  get lineText(): string | undefined {
    if (this.#hasHardBlanks) return undefined;
    const units = this.#units.subarray(0, this.#length);
    const kept = new Uint16Array(units.length + 1);
    let length = 0;
    let before: number = NEW_LINE;
    for (let i = 0; i < units.length; i++) {
      let unit = units[i]!;
      if (unit <= BLANK) {
        if (unit === NEW_LINE || unit === LINE_END) {
          if (before === BLANK) length--;
          unit = NEW_LINE;
        } else if (before === BLANK || before === NEW_LINE) continue;
        else unit = BLANK;
      }
      kept[length++] = before = unit;
    }
    while (length > 0 && kept[length - 1]! <= BLANK) length--;
    if (length === 0) return '';
    kept[length++] = NEW_LINE;
    return decoded(kept.subarray(0, length));
  }

  /** Amount of text, with all gaps and line ends, also those beside blanks. */
  get counts(): TextCounts {
    const units = this.#units;
    let words = 0;
    let lines = 0;
    let first = -1;
    let last = -1;
    let isBlank = true;
    let isNewLine = true;
    // Letters of plain pages have no other white space.
    for (let i = 0; i < this.#length; i++) {
      const unit = units[i]!;
      if (unit > BLANK) {
        if (isBlank) words++;
        if (isNewLine) lines++;
        if (first < 0) first = i;
        last = i;
        isBlank = isNewLine = false;
      } else {
        isBlank = true;
        if (unit === NEW_LINE || unit === LINE_END) isNewLine = true;
      }
    }
    return { characters: first < 0 ? 0 : last + 1 - first, words, lines };
  }

  #written(withLineEnds: boolean): string {
    const units = this.#units.subarray(0, this.#length);
    const kept = new Uint16Array(units.length);
    let length = 0;
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      if (unit > WIDER_BLANK) kept[length++] = unit;
      else if (unit === LINE_END && withLineEnds) kept[length++] = NEW_LINE;
    }
    return decoded(kept.subarray(0, length));
  }

  /** Adds what one operator shows: strings and shifts in turn. Returns the pen as a share of the font size. */
  show(start: PlainStart, tokens: ShownParts): number {
    const { font, charSpacing, wordSpacing } = start;
    if (charSpacing > NO_GAP || charSpacing < -ROUNDING) this.sure = false;
    let pen = 0;
    let end = 0;
    let begin = 0;
    let last: PlainGlyph | undefined;
    let from = this.#length;
    let separator = NONE;
    let count = 0;
    const { codeLength } = font;
    const { codes } = tokens;
    for (let part = 0; part < tokens.parts && this.sure; part++) {
      const to = tokens.to[part]!;
      if (to < 0) {
        pen -= tokens.shifts[part]! / 1000;
        continue;
      }
      const units = this.#reserve(to - tokens.from[part]!);
      // Nothing is called for most letters: there are millions. Only the first one of a string can follow a gap.
      let length = this.#length;
      const first = tokens.from[part]!;
      for (let at = first; at < to;) {
        const glyph = codeLength === 1 ? font.glyph(codes[at]!) : glyphOfTwo(font, codes, at, to);
        if (glyph === null) {
          this.sure = false;
          return 0;
        }
        if (at === first) {
          if (last === undefined) {
            begin = pen;
            separator = this.#begin(start, pen, glyph);
            if (separator !== NONE) units[length++] = separator;
            from = length;
          } else if (pen !== end) {
            const blank = this.#between(pen - end, last, glyph, font);
            if (blank !== NONE) units[length++] = blank;
            if (Math.abs(pen - end) > NO_GAP && charSpacing !== 0) this.sure = false;
          }
        }
        units[length++] = glyph.unit;
        if (!glyph.isOrdinary) length = this.#note(glyph, font, units, length);
        pen += glyph.width + charSpacing + (glyph.blank ? wordSpacing : 0);
        last = glyph;
        at += codeLength;
        const until = codeLength === 1 ? font.ordinaryEnd(codes, at, to) : at;
        if (until === at) continue;
        pen = font.write(
          codes,
          { at, end: until },
          { into: units, position: length },
          { pen, charSpacing, wordSpacing },
        );
        length += until - at;
        at = until;
        last = font.glyph(codes[until - 1]!)!;
      }
      if (to > first) {
        count += (to - first) / codeLength;
        end = pen;
      }
      this.#length = length;
    }
    if (last !== undefined) this.#end(start, { separator, from, begin, end, last, count });
    return pen;
  }

  /** Adds what a glyph is besides its first unit. Returns the new length. */
  #note(glyph: PlainGlyph, font: PlainFont, units: Uint16Array, length: number): number {
    const { text, isAccent, isUnusual } = glyph;
    font.note(glyph);
    if (isAccent) this.inOrder = false;
    else if (isUnusual) this.#hasHardBlanks = true;
    let to = length;
    for (let i = 1; i < text.length; i++) units[to++] = text.charCodeAt(i);
    return to;
  }

  /** The units, with room for as many letters. */
  #reserve(letters: number): Uint16Array {
    const most = this.#length + (letters + 1) * UNITS_PER_LETTER;
    if (most > this.#units.length) {
      const larger = new Uint16Array(Math.max(most, this.#units.length * 2));
      larger.set(this.#units);
      this.#units = larger;
    }
    return this.#units;
  }

  #begin({ x, y, em, font }: PlainStart, pen: number, glyph: PlainGlyph): number {
    const from = x + pen * em;
    if (em < LEAST_SIZE) this.sure = false;
    const last = this.#last;
    if (last === undefined) return NONE;
    const larger = Math.max(em, this.#em);
    const down = this.#y - y;
    if (Math.abs(down) > SAME_LINE * Math.min(em, this.#em)) {
      if (Math.abs(down) < LEAST_LEADING * larger) this.sure = false;
      if (down < 0) this.inOrder = false;
      if (!last.isSpace && !glyph.isSpace) return NEW_LINE;
      this.#hasLineEnds = true;
      return LINE_END;
    }
    if (larger > MOST_LARGER * Math.min(em, this.#em)) this.sure = false;
    return this.#between((from - this.#x) / em, last, glyph, font);
  }

  #end({ x, y, em }: PlainStart, shown: Shown): void {
    const { separator, from, begin, end, last, count } = shown;
    this.#hasSingles ||= count === 1;
    // Engines drop text that they take for the shadow of other text.
    const isNewLine = separator === NEW_LINE || separator === LINE_END;
    if (!isNewLine && this.#isLastObject(from)) this.sure = false;
    [this.#objectFrom, this.#objectTo] = [from, this.#length];
    this.#letters += count;
    this.#x = x + end * em;
    this.#left = Math.min(this.#left, x + begin * em);
    this.#right = Math.max(this.#right, this.#x);
    this.#widest = Math.max(this.#widest, (end - begin) * em);
    this.#largest = Math.max(this.#largest, em);
    this.#y = y;
    this.#em = em;
    this.#last = last;
    if (this.#letters > MAX_LETTERS) this.sure = false;
  }

  /** True if the text from here on is that of the last operator. */
  #isLastObject(from: number): boolean {
    const length = this.#length - from;
    if (length !== this.#objectTo - this.#objectFrom) return false;
    for (let i = 0; i < length; i++) if (this.#units[from + i] !== this.#units[this.#objectFrom + i]) return false;
    return true;
  }

  /** The blank between two letters, if there is one. */
  #between(gap: number, before: PlainGlyph, after: PlainGlyph, font: PlainFont): number {
    if (gap < -NO_GAP) this.sure = false;
    if (before.isSpace || after.isSpace) return gap > WORD_GAP ? WIDER_BLANK : NONE;
    if (gap >= CLEAR_GAP) return BLANK;
    if (gap > NO_GAP) this.sure = false;
    const narrow = Math.min(before.width, after.width, font.space ?? LEAST_SPACE) < LEAST_SPACE;
    if (gap > ROUNDING && narrow) this.sure = false;
    return NONE;
  }
}

/** What one operator showed; places are shares of the font size. */
interface Shown {
  /** The gap before it. */
  readonly separator: number;
  /** Where its text begins. */
  readonly from: number;
  readonly begin: number;
  readonly end: number;
  readonly last: PlainGlyph;
  readonly count: number;
}

/** Strings and shifts of a show operator, as `PlainTokens` gives them. */
export interface ShownParts {
  readonly codes: Uint8Array;
  readonly parts: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly shifts: readonly number[];
}

function glyphOfTwo(font: PlainFont, codes: Uint8Array, at: number, end: number): PlainGlyph | null {
  return at + 1 < end ? font.glyph(codes[at]! * 256 + codes[at + 1]!) : null;
}

function decoded(units: Uint16Array): string {
  let all = 0;
  // Much faster than an iterator, and there are millions of letters.
  for (let i = 0; i < units.length; i++) all |= units[i]!;
  return all <= ONE_BYTE
    ? Buffer.from(units).toString('latin1')
    : decodeUtf16Le(new Uint8Array(units.buffer, units.byteOffset, units.byteLength));
}
