import { type PDFDict, PDFRef } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { asDict, asNumber, elements, entry } from '../../file/objects/index.js';
import type { ContentResources } from '../content-resources.js';
import type { ContentVisitor } from '../events.js';
import type { Frame } from '../frame.js';
import { intersect, multiply, quadOf } from '../geometry.js';
import { ContentLexer } from '../lexer.js';
import { ContentName, matrixOf, nameAt, numberAt, type Operand, type Operator } from '../operands.js';
import { PathWalk } from './path-walk.js';
import type { ContentColour, Dash, GraphicsState, MarkedContent, TextState } from '../state.js';
import { TextWalk } from './text-walk.js';
import type { WalkState } from './walk-state.js';

/** States saved by `q`; viewers stop far earlier. */
const MAX_SAVED = 100_000;
const UNIT = [0, 0, 1, 1] as const;
/** Numbers of the graphics state by their keys in /ExtGState (ISO 32000-1, table 58). */
const STATE_NUMBERS = [
  ['LW', 'lineWidth'],
  ['ML', 'miterLimit'],
  ['LC', 'lineCap'],
  ['LJ', 'lineJoin'],
  ['CA', 'strokeAlpha'],
  ['ca', 'fillAlpha'],
] as const;

/** One walk over a piece of content and the forms in it, under the graphics state. */
export class Walk implements WalkState {
  state: GraphicsState;
  marked: MarkedContent | undefined;
  readonly #saved: GraphicsState[] = [];
  readonly #path: PathWalk;
  readonly #text: TextWalk | undefined;

  constructor(
    private readonly reader: ContentResources,
    private readonly visitor: ContentVisitor,
    state: GraphicsState,
  ) {
    this.state = state;
    this.#path = new PathWalk(visitor);
    this.#text = visitor.text === undefined && visitor.show === undefined ? undefined : new TextWalk(reader, visitor);
  }

  /** Walks a frame from the state at hand; what its content leaves open is closed at its end. */
  run(frame: Frame): void {
    const lexer = new ContentLexer(frame.bytes);
    const base = this.#saved.length;
    const { marked } = this;
    for (let operator = lexer.next(); operator !== undefined; operator = lexer.next()) {
      this.reader.spend();
      this.visitor.operator?.({ frame, operator, state: this.state, marked: this.marked });
      this.#apply(frame, operator, base);
    }
    this.#saved.length = base;
    this.marked = marked;
    this.#path.drop();
  }

  #apply(frame: Frame, operator: Operator, base: number): void {
    const { name, operands } = operator;
    switch (name) {
      case 'q':
        if (this.#saved.length >= MAX_SAVED)
          throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'saved graphics states', limit: MAX_SAVED });
        this.#saved.push(this.state);
        return;
      case 'Q':
        if (this.#saved.length > base) this.state = this.#saved.pop()!;
        return;
      case 'cm': {
        const matrix = matrixOf(operands);
        if (matrix !== undefined) this.state = { ...this.state, ctm: multiply(matrix, this.state.ctm) };
        return;
      }
      case 'w':
        this.state = { ...this.state, lineWidth: Math.abs(numberAt(operands, 0, 1)) };
        return;
      case 'M':
        this.state = { ...this.state, miterLimit: numberAt(operands, 0, 10) };
        return;
      case 'J':
        this.state = { ...this.state, lineCap: numberAt(operands, 0) };
        return;
      case 'j':
        this.state = { ...this.state, lineJoin: numberAt(operands, 0) };
        return;
      case 'd':
        this.state = { ...this.state, dash: dashOf(operands[0], numberAt(operands, 1)) };
        return;
      case 'gs':
        this.#extGState(frame, nameAt(operands, 0));
        return;
      case 'g':
      case 'rg':
      case 'k':
        this.state = { ...this.state, fill: deviceColour(name, operands) };
        return;
      case 'G':
      case 'RG':
      case 'K':
        this.state = { ...this.state, stroke: deviceColour(name.toLowerCase(), operands) };
        return;
      case 'cs':
        this.state = { ...this.state, fill: { space: nameAt(operands, 0) ?? '', values: [] } };
        return;
      case 'CS':
        this.state = { ...this.state, stroke: { space: nameAt(operands, 0) ?? '', values: [] } };
        return;
      case 'sc':
      case 'scn':
        this.state = { ...this.state, fill: colourIn(this.state.fill.space, operands) };
        return;
      case 'SC':
      case 'SCN':
        this.state = { ...this.state, stroke: colourIn(this.state.stroke.space, operands) };
        return;
      case 'Do':
        this.#draw(frame, operator);
        return;
      case 'BI':
        if (operator.image !== undefined)
          this.visitor.inlineImage?.({
            ...this.#painting(frame, operator),
            image: operator.image,
            quad: quadOf(this.state.ctm, UNIT),
          });
        return;
      case 'sh':
        this.visitor.shading?.({
          ...this.#painting(frame, operator),
          name: nameAt(operands, 0) ?? '',
          box: this.state.clip,
        });
        return;
      case 'BMC':
      case 'BDC':
        this.#begin(frame, operator);
        return;
      case 'EMC':
        this.marked = this.marked?.above;
        return;
      default:
        if (this.#path.apply(this, frame, operator)) return;
        this.#textState(frame, operator);
        this.#text?.apply(this, frame, operator);
    }
  }

  #painting(frame: Frame, operator: Operator) {
    return { frame, operator, state: this.state, marked: this.marked };
  }

  /** Text state is part of the graphics state also outside text objects (ISO 32000-1, 9.3.1). */
  #textState(frame: Frame, { name, operands }: Operator): void {
    switch (name) {
      case 'Tc':
        this.#setText({ charSpacing: numberAt(operands, 0) });
        return;
      case 'Tw':
        this.#setText({ wordSpacing: numberAt(operands, 0) });
        return;
      case 'Tz':
        this.#setText({ scale: numberAt(operands, 0, 100) / 100 });
        return;
      case 'TL':
        this.#setText({ leading: numberAt(operands, 0) });
        return;
      case 'Ts':
        this.#setText({ rise: numberAt(operands, 0) });
        return;
      case 'Tr':
        this.#setText({ mode: numberAt(operands, 0) });
        return;
      case 'TD':
        this.#setText({ leading: -numberAt(operands, 1) });
        return;
      case '"':
        this.#setText({ wordSpacing: numberAt(operands, 0), charSpacing: numberAt(operands, 1) });
        return;
      case 'Tf': {
        const fontName = nameAt(operands, 0);
        this.#setText({
          fontName,
          font: asDict(this.reader.context, this.reader.resource(frame, 'Font', fontName)),
          size: numberAt(operands, 1),
        });
        return;
      }
      default:
    }
  }

  #setText(changed: Partial<TextState>): void {
    this.state = { ...this.state, text: { ...this.state.text, ...changed } };
  }

  #extGState(frame: Frame, name: string | undefined): void {
    const { context } = this.reader;
    const dict = asDict(context, this.reader.resource(frame, 'ExtGState', name));
    if (dict === undefined) return;
    for (const [key, name] of STATE_NUMBERS) {
      const value = asNumber(context, entry(dict, key));
      if (value !== undefined) this.state = { ...this.state, [name]: value };
    }
    const [lengths, phase] = elements(context, entry(dict, 'D'));
    if (lengths !== undefined)
      this.state = {
        ...this.state,
        dash: dashOf(
          elements(context, lengths).map((value) => asNumber(context, value) ?? 0),
          asNumber(context, phase) ?? 0,
        ),
      };
    const [font, size] = elements(context, entry(dict, 'Font'));
    const fontDict = asDict(context, font);
    if (fontDict !== undefined)
      this.#setText({ fontName: undefined, font: fontDict, size: asNumber(context, size) ?? 0 });
  }

  #begin(frame: Frame, operator: Operator): void {
    const value: Operand | undefined = operator.operands[1];
    let properties: MarkedContent['properties'];
    if (value instanceof Map) properties = value;
    else if (value instanceof ContentName)
      properties = asDict(this.reader.context, this.reader.resource(frame, 'Properties', value.text));
    this.marked = { tag: nameAt(operator.operands, 0) ?? '', properties, operator, frame, above: this.marked };
  }

  #draw(frame: Frame, operator: Operator): void {
    const name = nameAt(operator.operands, 0);
    const value = this.reader.resource(frame, 'XObject', name);
    const xobject = this.reader.xobject(value);
    if (xobject === undefined || name === undefined) return;
    const { stream, subtype } = xobject;
    if (subtype === 'Image') {
      if (this.visitor.image === undefined) return;
      const ref = value instanceof PDFRef ? value : undefined;
      this.visitor.image({ ...this.#painting(frame, operator), name, stream, ref, quad: quadOf(this.state.ctm, UNIT) });
      return;
    }
    if (subtype !== 'Form' && subtype !== undefined) return;
    const inner = this.reader.formFrame(frame, operator, name, value, stream, this.state.ctm);
    if (inner === undefined) return;
    this.#form(frame, operator, inner, stream.dict);
  }

  /**
   * ISO 32000-1, 8.10.1: the state is saved, the matrix applied, the box clipped to, the content painted, the state
   * restored.
   */
  #form(frame: Frame, operator: Operator, inner: Frame, dict: PDFDict): void {
    const { quad, clip } = this.reader.clipOf(inner, dict, this.state.clip);
    if (this.visitor.form?.(inner, { ...this.#painting(frame, operator), dict, quad }) === false) return;
    const { state } = this;
    this.state = { ...state, ctm: inner.ctm ?? state.ctm, clip };
    const text = this.#text?.enter();
    this.run(inner);
    this.#text?.leave(text);
    this.state = state;
    this.visitor.formEnd?.(inner);
  }

  /** Narrows the clip to a box. */
  clipTo(box: readonly [number, number, number, number]): void {
    this.state = { ...this.state, clip: intersect(this.state.clip, box) };
  }
}

/** Lengths that make no pattern leave the line solid. */
function dashOf(lengths: Operand | undefined, phase: number): Dash {
  const numbers = Array.isArray(lengths) ? numbersIn(lengths as readonly Operand[]) : [];
  return {
    lengths: numbers.every((length) => length >= 0) && numbers.some((length) => length > 0) ? numbers : [],
    phase,
  };
}

function deviceColour(name: string, operands: readonly Operand[]): ContentColour {
  return {
    space: name === 'g' ? 'DeviceGray' : name === 'rg' ? 'DeviceRGB' : 'DeviceCMYK',
    values: numbersIn(operands),
  };
}

function colourIn(space: string, operands: readonly Operand[]): ContentColour {
  const last = operands.at(-1);
  return { space, values: numbersIn(operands), ...(last instanceof ContentName ? { pattern: last.text } : {}) };
}

function numbersIn(operands: readonly Operand[]): number[] {
  return operands.filter((value): value is number => typeof value === 'number');
}
