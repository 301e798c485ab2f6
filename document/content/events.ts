import type { PDFDict, PDFRawStream, PDFRef } from 'pdf-lib';
import type { ContentFont, FontGlyph } from '../fonts/pdf-fonts/index.js';
import type { Frame } from './frame.js';
import { type Box, type Quad, quadOf } from './geometry.js';
import type { InlineImage, Matrix, Operator } from './operands.js';
import type { GraphicsState, MarkedContent } from './state.js';

/** Effect and position of an operator. */
export interface Painting {
  readonly frame: Frame;
  readonly operator: Operator;
  /** The state in which it paints. */
  readonly state: GraphicsState;
  readonly marked: MarkedContent | undefined;
}

/** A glyph as it is shown. */
export interface ShownGlyph extends FontGlyph {
  /** Which operand it is part of: index in the array of TJ, else 0. */
  readonly element: number;
  /** Where its code begins in that string, in bytes. */
  readonly from: number;
  /** Distance from the origin of the operator's first glyph, in text space: along x, or along y in vertical writing. */
  readonly at: number;
  /** How far it moves the pen in text space, spacing included. */
  readonly advance: number;
}

/** Text shown by one operator, Tj, TJ, ' or ", as its font takes it apart: cheap, since no glyph is placed. */
export interface ShownText extends Painting {
  readonly font: ContentFont;
  /** By operand (those of TJ by index in its array): a string's glyphs, or a number of TJ. */
  readonly parts: readonly (number | readonly FontGlyph[])[];
  /** Glyphs of all parts. */
  readonly count: number;
  /** As in `PaintedText`. */
  readonly matrix: Matrix;
  readonly line: Matrix;
  readonly moved: number;
}

/** The same with the place of each glyph. */
export interface PaintedText extends Painting {
  readonly font: ContentFont;
  readonly glyphs: readonly ShownGlyph[];
  /** From text space at the operator's first glyph to default user space. */
  readonly matrix: Matrix;
  /**
   * The line matrix at the operator, which the next line is reckoned from (ISO 32000-1, 9.4.2): from text space to user
   * space of its content.
   */
  readonly line: Matrix;
  /** Text space distance from the first glyph's origin to where the pen stands afterwards. */
  readonly moved: number;
}

/** A path filled, stroked or shaded. */
export interface PaintedPath extends Painting {
  /** Around its points, control points included, in default user space; `nowhere` for one without. */
  readonly box: Box;
  /** How far a stroke may reach out of that box, joins included; 0 where it is only filled. */
  readonly reach: number;
  readonly fills: boolean;
  readonly strokes: boolean;
  /** True when it becomes part of the clip as well: then it cannot go without moving what comes after it. */
  readonly clips: boolean;
  /** Where its first construction operator begins; the path is the content from here to the operator's end. */
  readonly start: number;
}

/** An image XObject drawn. */
export interface PaintedImage extends Painting {
  readonly name: string;
  readonly stream: PDFRawStream;
  readonly ref: PDFRef | undefined;
  readonly quad: Quad;
}

/** An inline image drawn. */
export interface PaintedInlineImage extends Painting {
  readonly image: InlineImage;
  readonly quad: Quad;
}

/** The area that `sh` fills: the whole clip. */
export interface PaintedShading extends Painting {
  readonly name: string;
  readonly box: Box;
}

/** Sees what is painted, in order. Only what is asked for is worked out: without `text` no font is read. */
export interface ContentVisitor {
  /** Every operator, before it does anything. */
  operator?(what: Painting): void;
  text?(what: PaintedText): void;
  /** The same text before its glyphs are placed; `placeGlyphs` does that afterwards where it is needed. */
  show?(what: ShownText): void;
  path?(what: PaintedPath): void;
  /** A path that is only clipped with. */
  clip?(what: PaintedPath): void;
  image?(what: PaintedImage): void;
  inlineImage?(what: PaintedInlineImage): void;
  shading?(what: PaintedShading): void;
  /**
   * A form XObject before it is walked, as the frame it will be (its own space in `ctm`), and its /BBox; false passes
   * over it.
   */
  form?(frame: Frame, what: Painting & { readonly dict: PDFDict; readonly quad: Quad }): boolean | void;
  /** After it was walked. */
  formEnd?(frame: Frame): void;
}

/** The four corners of a shown glyph, from its lower left: its advance width by the font's ascent and descent. */
export function glyphQuad({ matrix, font, state }: PaintedText, glyph: ShownGlyph): Quad {
  const { size, scale, rise } = state.text;
  const width = (glyph.width / 1000) * size;
  const [low, high] = [(font.descent / 1000) * size + rise, (font.ascent / 1000) * size + rise];
  if (!font.vertical) return quadOf(matrix, [glyph.at, low, glyph.at + width * scale, high]);
  // In vertical writing the glyph hangs from the pen, its width centred (ISO 32000-1, 9.7.4.3).
  const left = (-(glyph.originX ?? 0) / 1000) * size * scale;
  return quadOf(matrix, [
    left,
    glyph.at + ((glyph.height ?? -1000) / 1000) * size + rise,
    left + width * scale,
    glyph.at + rise,
  ]);
}
