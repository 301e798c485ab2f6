import type { PlainFont, PlainGlyph } from './plain-font.js';

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
/** Stands for a line end beside a blank: a line feed for PDFium, nothing in Quire's own readings. */
const LINE_END = '\u0001';
/** Stands for a gap beside a blank: no text for readings. */
const WIDER_BLANK = '\u0002';
/** Wider gaps are blanks, as everywhere in `content`. */
const WORD_GAP = 0.15;
/** Text this wide, as a share of all text of the page and of its largest size, tells that lines run across. */
const CLEARLY_ACROSS = 0.85;
const LEAST_ACROSS = 10;
/** Letters on a page; far more than can be read. */
const MAX_LETTERS = 200_000;

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
  #text = '';
  #letters = 0;
  #x = 0;
  #y = 0;
  #em = 0;
  #last: PlainGlyph | undefined;
  #lastObject = '';
  /** True if an operator shows a single letter: its direction is guessed from the page. */
  #hasSingles = false;
  #left = Infinity;
  #right = -Infinity;
  #widest = 0;
  #largest = 0;

  constructor(private readonly box: readonly [number, number, number, number]) {}

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
    const text = this.#text.replaceAll(WIDER_BLANK, '');
    return text.includes(LINE_END) ? [text.replaceAll(LINE_END, ''), text.replaceAll(LINE_END, '\n')] : [text];
  }

  /** The text with all gaps and line ends, also beside blanks. */
  get spaced(): string {
    return this.#text.replaceAll(LINE_END, '\n').replaceAll(WIDER_BLANK, ' ');
  }

  /** Adds what one operator shows: strings and shifts in turn. Returns the pen as a share of the font size. */
  show(start: PlainStart, tokens: ShownParts): number {
    const { font, charSpacing, wordSpacing } = start;
    if (charSpacing > NO_GAP || charSpacing < -ROUNDING) this.sure = false;
    let pen = 0;
    let end = 0;
    let begin = 0;
    let last: PlainGlyph | undefined;
    let separator = '';
    let text = '';
    let count = 0;
    for (let part = 0; part < tokens.parts && this.sure; part++) {
      if (tokens.to[part]! < 0) {
        pen -= tokens.shifts[part]! / 1000;
        continue;
      }
      for (let at = tokens.from[part]!; at < tokens.to[part]!; at += font.codeLength) {
        const glyph = glyphAt(font, tokens, at, tokens.to[part]!);
        if (glyph === null) {
          this.sure = false;
          return 0;
        }
        if (last === undefined) {
          begin = pen;
          separator = this.#begin(start, pen, glyph);
        } else if (pen !== end) {
          text += this.#between(pen - end, last, glyph, font);
          if (Math.abs(pen - end) > NO_GAP && charSpacing !== 0) this.sure = false;
        }
        glyph.used = true;
        if (glyph.isAccent) this.inOrder = false;
        text += glyph.text;
        count++;
        pen += glyph.width + charSpacing + (glyph.blank ? wordSpacing : 0);
        end = pen;
        last = glyph;
      }
    }
    if (last !== undefined) this.#end(start, { separator, text, begin, end, last, count });
    return pen;
  }

  #begin({ x, y, em, font }: PlainStart, pen: number, glyph: PlainGlyph): string {
    const from = x + pen * em;
    if (em < LEAST_SIZE) this.sure = false;
    const last = this.#last;
    if (last === undefined) return '';
    const larger = Math.max(em, this.#em);
    const down = this.#y - y;
    if (Math.abs(down) > SAME_LINE * Math.min(em, this.#em)) {
      if (Math.abs(down) < LEAST_LEADING * larger) this.sure = false;
      if (down < 0) this.inOrder = false;
      return last.isSpace || glyph.isSpace ? LINE_END : '\n';
    }
    if (larger > MOST_LARGER * Math.min(em, this.#em)) this.sure = false;
    return this.#between((from - this.#x) / em, last, glyph, font);
  }

  #end({ x, y, em }: PlainStart, shown: Shown): void {
    const { separator, text, begin, end, last, count } = shown;
    this.#hasSingles ||= count === 1;
    // Engines drop text that they take for the shadow of other text.
    const isNewLine = separator === '\n' || separator === LINE_END;
    if (!isNewLine && text === this.#lastObject) this.sure = false;
    this.#lastObject = text;
    this.#letters += count;
    this.#text += separator + text;
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

  /** The blank between two letters, if there is one. */
  #between(gap: number, before: PlainGlyph, after: PlainGlyph, font: PlainFont): string {
    if (gap < -NO_GAP) this.sure = false;
    if (before.isSpace || after.isSpace) return gap > WORD_GAP ? WIDER_BLANK : '';
    if (gap >= CLEAR_GAP) return ' ';
    if (gap > NO_GAP) this.sure = false;
    const narrow = Math.min(before.width, after.width, font.space ?? LEAST_SPACE) < LEAST_SPACE;
    if (gap > ROUNDING && narrow) this.sure = false;
    return '';
  }
}

/** What one operator showed; places are shares of the font size. */
interface Shown {
  /** The gap before it. */
  readonly separator: string;
  readonly text: string;
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

function glyphAt(font: PlainFont, { codes }: ShownParts, at: number, end: number): PlainGlyph | null {
  if (font.codeLength === 1) return font.glyph(codes[at]!);
  return at + 1 < end ? font.glyph(codes[at]! * 256 + codes[at + 1]!) : null;
}
