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
  /** Of ordinary glyphs of one byte, by code: 1, for the blank 2; their units and widths. */
  readonly #kinds = new Uint8Array(256);
  readonly #units = new Uint16Array(256);
  readonly #widths = new Float64Array(256);
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

  /** Notes that a glyph occurred; call it once for each. */
  note(glyph: PlainGlyph): void {
    glyph.used = true;
    glyph.isOrdinary = glyph.text.length === 1 && !glyph.isUnusual;
    if (!glyph.isOrdinary || this.codeLength !== 1) return;
    this.#kinds[glyph.code] = glyph.blank ? 2 : 1;
    this.#units[glyph.code] = glyph.unit;
    this.#widths[glyph.code] = glyph.width;
  }

  /** Returns where ordinary glyphs of one byte end that begin at `at`. */
  ordinaryEnd(codes: Uint8Array, at: number, to: number): number {
    let end = at;
    while (end < to && this.#kinds[codes[end]!] !== 0) end++;
    return end;
  }

  /**
   * Writes the units of ordinary glyphs of one byte to `into`, from `position` on. Returns the pen, as a share of the
   * font size like the spacings.
   */
  write(
    codes: Uint8Array,
    { at, end }: { readonly at: number; readonly end: number },
    { into, position }: { readonly into: Uint16Array; readonly position: number },
    {
      pen,
      charSpacing,
      wordSpacing,
    }: { readonly pen: number; readonly charSpacing: number; readonly wordSpacing: number },
  ): number {
    const kinds = this.#kinds;
    const units = this.#units;
    const widths = this.#widths;
    let moved = pen;
    for (let i = at, to = position; i < end; i++) {
      const code = codes[i]!;
      into[to++] = units[code]!;
      moved += widths[code]! + charSpacing + (kinds[code] === 2 ? wordSpacing : 0);
    }
    return moved;
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
