import { DocumentError } from '../../errors.js';
import type { ContentResources } from '../content-resources.js';
import type { ContentVisitor, ShownGlyph, ShownText } from '../events.js';
import type { ContentFont, FontGlyph } from '../../fonts/pdf-fonts/index.js';
import type { Frame } from '../frame.js';
import { identity, multiply } from '../geometry.js';
import { type Matrix, matrixOf, numberAt, type Operand, type Operator } from '../operands.js';
import type { TextState } from '../state.js';
import type { WalkState } from './walk-state.js';

/** Glyphs that are placed of one page or of one operator; far more than can be read. */
export const MAX_GLYPHS = 500_000;

/** The matrices of a text object. */
export interface TextMatrices {
  readonly text: Matrix;
  readonly line: Matrix;
}

/** Text objects: where lines and glyphs are (ISO 32000-1, 9.4). */
export class TextWalk {
  #text: Matrix = identity;
  #line: Matrix = identity;

  constructor(
    private readonly reader: ContentResources,
    private readonly visitor: ContentVisitor,
  ) {}

  /** A form drawn inside a text object does not disturb it. */
  enter(): TextMatrices {
    return { text: this.#text, line: this.#line };
  }

  leave(matrices: TextMatrices | undefined): void {
    if (matrices === undefined) return;
    this.#text = matrices.text;
    this.#line = matrices.line;
  }

  /** Applies a text operator; ignores others. */
  apply(walk: WalkState, frame: Frame, operator: Operator): void {
    const { name, operands } = operator;
    switch (name) {
      case 'BT':
        this.#text = identity;
        this.#line = identity;
        return;
      case 'Td':
      case 'TD':
        this.#nextLine(numberAt(operands, 0), numberAt(operands, 1));
        return;
      case 'T*':
        this.#nextLine(0, -walk.state.text.leading);
        return;
      case 'Tm': {
        const matrix = matrixOf(operands);
        if (matrix === undefined) return;
        this.#text = matrix;
        this.#line = matrix;
        return;
      }
      case 'Tj':
        this.#show(walk, frame, operator, operands.slice(0, 1));
        return;
      case 'TJ':
        this.#show(walk, frame, operator, Array.isArray(operands[0]) ? (operands[0] as readonly Operand[]) : []);
        return;
      case "'":
      case '"':
        this.#nextLine(0, -walk.state.text.leading);
        this.#show(walk, frame, operator, operands.slice(name === '"' ? 2 : 0));
        return;
      default:
    }
  }

  #nextLine(x: number, y: number): void {
    this.#line = multiply([1, 0, 0, 1, x, y], this.#line);
    this.#text = this.#line;
  }

  #show(walk: WalkState, frame: Frame, operator: Operator, operands: readonly Operand[]): void {
    const { state, marked } = walk;
    const font = this.reader.fonts.font(state.text.font, frame.resources);
    const parts = operands.map((part) =>
      part instanceof Uint8Array ? font.decode(part) : typeof part === 'number' ? part : 0,
    );
    const pen = new Pen(font, state.text);
    let count = 0;
    for (const part of parts) {
      if (typeof part === 'number') {
        pen.back(part);
        continue;
      }
      count += part.length;
      for (const glyph of part) pen.advance(glyph);
    }
    const matrix = multiply(this.#text, state.ctm);
    this.#text = multiply(shift(font, pen.at), this.#text);
    const shown: ShownText = {
      frame,
      operator,
      state,
      marked,
      font,
      parts,
      count,
      matrix,
      line: this.#line,
      moved: pen.at,
    };
    this.visitor.show?.(shown);
    this.visitor.text?.({
      frame,
      operator,
      state,
      marked,
      font,
      glyphs: placeGlyphs(shown),
      matrix,
      line: this.#line,
      moved: pen.at,
    });
  }
}

/**
 * The pen along a line of text (ISO 32000-1, 9.4.4): each glyph moves it by its width and the spacing, numbers of TJ
 * move it back.
 */
export class Pen {
  /** Distance from where it began, in text space. */
  at = 0;
  readonly #stretched: number;

  constructor(
    private readonly font: ContentFont,
    private readonly text: TextState,
  ) {
    this.#stretched = font.vertical ? 1 : text.scale;
  }

  /** Advances over a glyph and returns the distance. */
  advance({ width, height, blank }: FontGlyph): number {
    const { size, charSpacing, wordSpacing } = this.text;
    const step = ((this.font.vertical ? (height ?? -1000) : width) / 1000) * size;
    const far = (step + charSpacing + (blank ? wordSpacing : 0)) * this.#stretched;
    this.at += far;
    return far;
  }

  back(thousandths: number): void {
    this.at -= (thousandths / 1000) * this.text.size * this.#stretched;
  }
}

/** Where the glyphs of a show operator stand. Errors: INPUT_TOO_COMPLEX beyond half a million. */
export function placeGlyphs({ font, state, parts, count }: ShownText): ShownGlyph[] {
  if (count > MAX_GLYPHS)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'characters of one string', limit: MAX_GLYPHS });
  const glyphs: ShownGlyph[] = [];
  const pen = new Pen(font, state.text);
  for (let element = 0; element < parts.length; element++) {
    const part = parts[element]!;
    if (typeof part === 'number') {
      pen.back(part);
      continue;
    }
    let from = 0;
    for (const glyph of part) {
      const { at } = pen;
      const advance = pen.advance(glyph);
      const { code, length, text, width, blank, height, drawn } = glyph;
      // Written out, since there are millions of these.
      glyphs.push(
        height === undefined && drawn === undefined
          ? { code, length, text, width, blank, element, from, at, advance }
          : { ...glyph, element, from, at, advance },
      );
      from += length;
    }
  }
  return glyphs;
}

function shift(font: ContentFont, pen: number): Matrix {
  return font.vertical ? [1, 0, 0, 1, 0, pen] : [1, 0, 0, 1, pen, 0];
}
