import type { Font } from 'fontkit';

/** A loaded font file at one weight. */
export interface Face {
  readonly key: string;
  readonly font: Font;
  /** Factor from the font's units to thousandths of the em. */
  readonly scale: number;
  /** Recently shaped text. */
  readonly shaped: Map<string, readonly ShapedGlyph[]>;
}

/** An outline of a font file, offset from the glyph's origin. */
export interface GlyphPart {
  readonly face: Face;
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/** A positioned glyph on a line. Measures are thousandths of the font size. */
export interface ShapedGlyph {
  /** One outline, or several where the font decomposes a character (a letter and its dots). */
  readonly parts: readonly GlyphPart[];
  /** The characters that it represents. */
  readonly text: string;
  readonly advance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}
