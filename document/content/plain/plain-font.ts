import type { ContentFont, FontGlyph } from '../../fonts/pdf-fonts/index.js';
import { isAccent } from '../spacing-accents.js';
import { comparable } from '../text-unit.js';

/** Narrower glyphs, in thousandths: engines may take two of them for one that was painted twice. */
const LEAST_WIDTH = 100;
/** Wider ones are unusual enough to have a full reading. */
const MOST_WIDTH = 2000;
/**
 * Characters that every reader writes in the same way: Latin, Greek and Cyrillic letters and usual punctuation, without
 * soft hyphens, combining marks, and what is written from right to left.
 */
const USUAL = new RegExp(
  '^[ -~\\u00a1-\\u00ac\\u00ae-\\u017f\\u0386-\\u03ce\\u0400-\\u0482\\u048a-\\u04ff' +
    '\\u2010-\\u2014\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u2030\\u20ac\\u2122]$',
);
/** Texts of Latin ligatures. */
const LIGATURE = /^(?:f{1,2}[il]?|ft|st)$/;

/** The no-break space. */
const HARD_BLANK = '\u00a0';

/** Longest text of a glyph, in UTF-16 units: that of a ligature has three. */
export const MOST_UNITS = 4;

/** A code of a font with one meaning. */
export interface PlainGlyph {
  readonly code: number;
  readonly text: string;
  /** The first UTF-16 unit of its text. */
  readonly unit: number;
  /** Advance width as a share of the font size. */
  readonly width: number;
  readonly isSpace: boolean;
  /** True if word spacing applies to it. */
  readonly blank: boolean;
  /** True for spacing accents, which other readings join to letters. */
  readonly isAccent: boolean;
  /** True for spacing accents and no-break spaces. */
  readonly isUnusual: boolean;
  /** True once it occurred; a flag, since there are millions of letters. */
  used: boolean;
  /** True for one that occurred before, with one unit and nothing unusual: all but its unit is known. */
  isOrdinary: boolean;
}

/** The codes of one font, and those that were used. */
export class PlainFont {
  readonly #glyphs: (PlainGlyph | null | undefined)[] = [];
  #space: number | undefined | null = null;

  /** `codeLength` is the number of bytes of every code: 1 or 2. */
  constructor(
    private readonly font: ContentFont,
    readonly codeLength: 1 | 2,
  ) {}

  /** The codes that occurred. */
  get used(): PlainGlyph[] {
    return Object.values(this.#glyphs).filter((glyph) => glyph?.used === true) as PlainGlyph[];
  }

  /** Returns the glyph of a code; null if readers may disagree about it. */
  glyph(code: number): PlainGlyph | null {
    let glyph = this.#glyphs[code];
    if (glyph === undefined) {
      glyph = this.#read(code);
      this.#glyphs[code] = glyph;
    }
    return glyph;
  }

  /** Width of the blank as a share of the font size; undefined if the font has none among its first codes. */
  get space(): number | undefined {
    if (this.#space === null) {
      const glyph = this.codeLength === 1 ? this.glyph(32) : undefined;
      this.#space = glyph?.isSpace === true ? glyph.width : undefined;
    }
    return this.#space;
  }

  #read(code: number): PlainGlyph | null {
    const bytes = this.codeLength === 1 ? Uint8Array.of(code) : Uint8Array.of(code >> 8, code & 0xff);
    const glyphs = this.font.decode(bytes);
    const glyph = glyphs.length === 1 ? glyphs[0] : undefined;
    return glyph === undefined ? null : plainGlyph(glyph, this.codeLength);
  }
}

function plainGlyph({ code, length, text, drawn, width, blank }: FontGlyph, codeLength: number): PlainGlyph | null {
  const usual = USUAL.test(text) || LIGATURE.test(text) || text === HARD_BLANK;
  if (drawn !== undefined || length !== codeLength || !usual || !(width >= LEAST_WIDTH && width <= MOST_WIDTH))
    return null;
  const plain = comparable(text);
  if (plain === '' || plain.length > MOST_UNITS) return null;
  return {
    code,
    text: plain,
    unit: plain.charCodeAt(0),
    width: width / 1000,
    isSpace: plain === ' ',
    blank,
    isAccent: isAccent(text),
    isUnusual: isAccent(text) || text === HARD_BLANK,
    used: false,
    isOrdinary: false,
  };
}
