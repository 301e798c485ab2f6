import type { ContentReader } from './content-reader.js';
import type { ContentVisitor, ShownGlyph } from './events.js';
import type { ContentFont } from './fonts/index.js';
import type { Frame } from './frame.js';
import { identity, multiply } from './geometry.js';
import { type Matrix, matrixOf, numberAt, type Operand, type Operator } from './operands.js';
import type { Walk } from './walk.js';

/** The matrices of a text object. */
export interface TextMatrices {
  readonly text: Matrix;
  readonly line: Matrix;
}

/** Text objects: where lines and glyphs are (ISO 32000-1, 9.4). */
export class TextWalk {
  #text: Matrix = identity;
  #line: Matrix = identity;

  constructor(private readonly reader: ContentReader, private readonly visitor: ContentVisitor) {}

  /** A form drawn inside a text object does not disturb it. */
  enter(): TextMatrices {
    return { text: this.#text, line: this.#line };
  }

  leave(matrices: TextMatrices | undefined): void {
    if (matrices === undefined) return;
    this.#text = matrices.text;
    this.#line = matrices.line;
  }

  /** Does what a text operator does; others are none of its business. */
  apply(walk: Walk, frame: Frame, operator: Operator): void {
    const { name, operands } = operator;
    switch (name) {
      case 'BT':
        this.#text = identity;
        this.#line = identity;
        return;
      case 'Td': case 'TD': this.#nextLine(numberAt(operands, 0), numberAt(operands, 1)); return;
      case 'T*': this.#nextLine(0, -walk.state.text.leading); return;
      case 'Tm': {
        const matrix = matrixOf(operands);
        if (matrix === undefined) return;
        this.#text = matrix;
        this.#line = matrix;
        return;
      }
      case 'Tj': this.#show(walk, frame, operator, operands.slice(0, 1)); return;
      case 'TJ': this.#show(walk, frame, operator, Array.isArray(operands[0]) ? (operands[0] as readonly Operand[]) : []); return;
      case "'": case '"':
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

  /** ISO 32000-1, 9.4.4: each glyph moves the pen by its width and the spacing, numbers of TJ move it back. */
  #show(walk: Walk, frame: Frame, operator: Operator, parts: readonly Operand[]): void {
    const { state, marked } = walk;
    const { size, scale, charSpacing, wordSpacing } = state.text;
    const font = this.reader.fonts.font(state.text.font);
    const glyphs: ShownGlyph[] = [];
    const stretched = font.vertical ? 1 : scale;
    let pen = 0;
    for (const [element, part] of parts.entries()) {
      if (typeof part === 'number') pen -= (part / 1000) * size * stretched;
      if (!(part instanceof Uint8Array)) continue;
      let from = 0;
      for (const glyph of font.decode(part)) {
        const step = ((font.vertical ? (glyph.height ?? -1000) : glyph.width) / 1000) * size;
        const advance = (step + charSpacing + (glyph.blank ? wordSpacing : 0)) * stretched;
        const { code, length, text, width, blank, height } = glyph;
        // Written out, since there are millions of these.
        glyphs.push(height === undefined ? { code, length, text, width, blank, element, from, at: pen, advance } : { ...glyph, element, from, at: pen, advance });
        from += glyph.length;
        pen += advance;
      }
    }
    const matrix = multiply(this.#text, state.ctm);
    this.#text = multiply(shift(font, pen), this.#text);
    this.visitor.text?.({ frame, operator, state, marked, font, glyphs, matrix, moved: pen });
  }
}

function shift(font: ContentFont, pen: number): Matrix {
  return font.vertical ? [1, 0, 0, 1, 0, pen] : [1, 0, 0, 1, pen, 0];
}
