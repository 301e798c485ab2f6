import { PDFArray, type PDFContext, PDFName } from 'pdf-lib';
import {
  type ContentColour,
  type ContentFont,
  type ContentReader,
  type PaintedText,
  multiply,
  placeGlyphs,
  type ShownText,
  WORD_GAP,
} from '../../index.js';
import { asDict, asName, elements, entry, nameText, resolve } from '../../../file/objects/index.js';
import type { FontIds } from '../font-ids.js';
import type { JsonColour, TextElement } from '../model.js';
import { type PageSpace, rounded, roundedMatrix } from '../page-space.js';

/** A piece of a run's text: the text of one glyph, or a space that only a gap shows. */
export interface RunPiece {
  readonly text: string;
  /** Index among the run's glyphs; a gap has none. */
  readonly glyph?: number;
}

/** A run of text as the editor has it, and where it comes from. */
export interface ReadText {
  readonly element: TextElement;
  readonly run: PaintedText;
  readonly pieces: readonly RunPiece[];
}

/** Exports runs of text as elements. */
export class TextTeller {
  readonly #blanks = new Map<ContentFont, number>();

  constructor(
    private readonly reader: ContentReader,
    private readonly fonts: FontIds,
  ) {}

  /** The element of what a show operator shows. */
  tell(shown: ShownText, space: PageSpace, zOrder: number): ReadText {
    const { frame, operator, state, marked, font, matrix, line, moved } = shown;
    const run: PaintedText = { frame, operator, state, marked, font, glyphs: placeGlyphs(shown), matrix, line, moved };
    const pieces = piecesOf(run);
    const { size, scale, charSpacing, wordSpacing, leading, rise, mode } = state.text;
    const place = multiply(matrix, space.shown);
    const [a, b, c, d, x, y] = place;
    const along = font.vertical ? Math.hypot(c, d) : Math.hypot(a, b);
    const seen = Math.abs(size) * font.em * Math.hypot(c, d);
    const embedded = isEmbedded(this.reader.context, state.text.font);
    const element: TextElement = {
      text: pieces.map(({ text }) => text).join(''),
      fontId: this.fonts.idOf(state.text.font),
      fontSize: rounded(size),
      fontMatrixSize: rounded(seen),
      fontSizeInPt: rounded(seen, 2),
      characterSpacing: rounded(charSpacing),
      wordSpacing: rounded(wordSpacing),
      spaceWidth: rounded(this.#blank(font) * size * scale * along),
      zOrder,
      horizontalScaling: rounded(scale * 100),
      leading: rounded(leading),
      rise: rounded(rise),
      x: rounded(x),
      y: rounded(y),
      width: rounded(Math.abs(moved) * along),
      height: rounded(((font.ascent - font.descent) / 1000) * Math.abs(size) * Math.hypot(c, d)),
      textMatrix: roundedMatrix(place),
      fillColor: this.#colour(shown, state.fill),
      strokeColor: this.#colour(shown, state.stroke),
      renderingMode: mode,
      ...(embedded ? {} : { fallbackUsed: true }),
      charCodes: run.glyphs.map(({ code }) => code),
    };
    return { element, run, pieces };
  }

  #colour({ frame }: ShownText, { space, values }: ContentColour): JsonColour {
    const value = /^Device|^Pattern$/.test(space)
      ? undefined
      : resolve(this.reader.context, this.reader.resource(frame, 'ColorSpace', space));
    const first = value instanceof PDFArray ? resolve(this.reader.context, value.asArray()[0]) : value;
    return {
      colorSpace: first instanceof PDFName ? nameText(first) : space,
      ...(values.length > 0 ? { components: values.map((one) => rounded(one, 6)) } : {}),
    };
  }

  /** Width of a blank in a font of size 1. */
  #blank(font: ContentFont): number {
    let width = this.#blanks.get(font);
    if (width === undefined) {
      const code = font.encode(' ');
      width = ((code === undefined ? undefined : font.decode(code)[0]?.width) ?? 250 * font.em) / 1000;
      this.#blanks.set(font, width);
    }
    return width;
  }
}

function piecesOf({
  glyphs,
  font,
  state: {
    text: { size, scale },
  },
}: PaintedText): RunPiece[] {
  const pieces: RunPiece[] = [];
  const em = Math.abs(size * font.em * (font.vertical ? 1 : scale));
  let pen: number | undefined;
  let blank = true;
  for (const [glyph, { text, at, advance }] of glyphs.entries()) {
    const isBlank = text.trim() === '';
    // A negative size or scale turns the line round.
    const gap = pen === undefined ? 0 : (at - pen) * Math.sign(font.vertical ? -1 : size * scale || 1);
    if (gap > WORD_GAP * em && !blank && !isBlank) pieces.push({ text: ' ' });
    pieces.push({ text, glyph });
    pen = at + advance;
    blank = isBlank && text !== '';
  }
  return pieces;
}

function isEmbedded(context: PDFContext, font: Parameters<typeof asDict>[1]): boolean {
  const dict = asDict(context, font);
  if (dict === undefined) return false;
  if (asName(context, entry(dict, 'Subtype')) === 'Type3') return true;
  const [descendant] = elements(context, entry(dict, 'DescendantFonts'));
  const descriptor = asDict(context, entry(asDict(context, descendant) ?? dict, 'FontDescriptor'));
  return (
    descriptor !== undefined &&
    ['FontFile', 'FontFile2', 'FontFile3'].some((key) => resolve(context, entry(descriptor, key)) !== undefined)
  );
}
