import {
  type ContentColour,
  ContentName,
  type ContentVisitor,
  type Frame,
  type GraphicsState,
  type Operator,
  type PaintedPath,
  type Painting,
  nameAt,
  numberAt,
  operatorText,
} from '@quire/document/content';
import { type Colour, fillColour } from '@quire/document/content/drawing';
import { MIN_CONTRAST, contrast } from './colour-contrast.js';

/** Text colour and background colour. */
export interface TextOnBackground {
  readonly text: Colour;
  readonly ground: Colour;
}

const COLOURS = new Set(['g', 'rg', 'k', 'cs', 'sc', 'scn', 'G', 'RG', 'K', 'CS', 'SC', 'SCN']);
/** Operators in a text object whose effect outlasts it (ISO 32000-1, 8.4 and 9.3). */
const LASTING = new Set([
  ...COLOURS,
  'Tc',
  'Tw',
  'Tz',
  'TL',
  'Tf',
  'Tr',
  'Ts',
  'w',
  'J',
  'j',
  'M',
  'd',
  'ri',
  'i',
  'gs',
  'cm',
]);
const SHOWS = new Set(['Tj', 'TJ', "'", '"']);
/** From this text rendering mode on, text becomes a clip; 3 and 7 paint nothing (ISO 32000-1, table 106). */
const CLIPS = 4;
const UNPAINTED = new Set([3, 7]);
/**
 * Filled shapes at least this wide and high, or rows at least this long and high, count as large (in points); smaller
 * ones are marks on a background, like letters.
 */
const LARGE = { side: 14, rowHeight: 7, rowLength: 28, share: 0.5 } as const;
/** A background for text or marks is at least this wide and high, with no more segments than a rounded box needs. */
const BACKGROUND = { side: 5, segments: 12 } as const;
const SEGMENTS = /(?<![^\s\d.])[lcvy](?!\S)/g;

/** A text object while it is read. */
interface TextObject {
  readonly begin: Operator;
  readonly colours: Operator[];
  /** Operators whose effect outlasts the text object, as written. */
  readonly lasting: string[];
  readonly saved: number[];
  paints: boolean;
  /**
   * True if the text becomes a clip, which q and Q would remove, or if the object contains a Q that matches an earlier
   * q.
   */
  unbound: boolean;
}

/** Visits content and records on its frames the edits that set the text to one colour and keep it readable. */
export class TextRecolouring implements ContentVisitor {
  readonly #open = new Map<Frame, TextObject>();
  readonly #setters: string;

  /** `rgbOf` converts a colour that content sets; undefined if unknown. `font` is called for every selected font. */
  constructor(
    private readonly colours: TextOnBackground,
    private readonly rgbOf: (what: Painting, kind: 'fill' | 'stroke') => Colour | undefined,
    private readonly font: (frame: Frame, name: string) => void,
    /** Area of the whole drawing in square points, if it is small: a shape that covers half of it is a background. */
    private readonly whole = Infinity,
  ) {
    this.#setters = `${fillColour(colours.text)} ${strokeColour(colours.text)}`;
  }

  /** Wraps text objects in q and Q, so that the colour ends with them, and repeats lasting settings after them. */
  operator({ frame, operator, state }: Painting): void {
    const { name } = operator;
    if (name === 'Tf') this.font(frame, nameAt(operator.operands, 0) ?? '');
    const text = this.#open.get(frame);
    if (name === 'BT') {
      if (text === undefined)
        this.#open.set(frame, { begin: operator, colours: [], lasting: [], saved: [], paints: false, unbound: false });
      return;
    }
    if (text === undefined) return;
    if (name === 'ET') {
      this.#open.delete(frame);
      this.#finish(frame, text, operator, state);
    } else if (SHOWS.has(name)) {
      text.paints ||= !UNPAINTED.has(state.text.mode);
      text.unbound ||= state.text.mode >= CLIPS;
      if (name === '"')
        text.lasting.push(
          operatorText('Tw', numberAt(operator.operands, 0)),
          operatorText('Tc', numberAt(operator.operands, 1)),
        );
    } else if (name === 'TD') text.lasting.push(operatorText('TL', -numberAt(operator.operands, 1)));
    else if (name === 'q') text.saved.push(text.lasting.length);
    else if (name === 'Q') {
      text.unbound ||= text.saved.length === 0;
      text.lasting.length = text.saved.pop() ?? text.lasting.length;
    } else if (LASTING.has(name)) {
      text.lasting.push(Buffer.from(frame.bytes.subarray(operator.start, operator.end)).toString('latin1'));
      if (COLOURS.has(name)) text.colours.push(operator);
    }
  }

  /**
   * Backgrounds that make text unreadable take the background colour; small shapes and lines that would become
   * invisible on it take the text colour.
   */
  path(what: PaintedPath): void {
    const { frame, box, fills, strokes, clips, start, operator } = what;
    // A clip would end with the colour.
    if (clips || this.#open.has(frame)) return;
    const { text, ground } = this.colours;
    const fill = fills ? this.rgbOf(what, 'fill') : undefined;
    const stroke = strokes ? this.rgbOf(what, 'stroke') : undefined;
    const setters: string[] = [];
    const [width, height] = [box[2] - box[0], box[3] - box[1]];
    const side = Math.min(width, height);
    const all = width * height >= this.whole * LARGE.share;
    const isLarge =
      all || side >= LARGE.side || (side >= LARGE.rowHeight && Math.max(width, height) >= LARGE.rowLength);
    const isGround =
      all ||
      (side >= BACKGROUND.side && segmentsOf(frame.bytes.subarray(start, operator.start)) <= BACKGROUND.segments);
    if (fill !== undefined && isGround && contrast(fill, text) < MIN_CONTRAST) setters.push(fillColour(ground));
    else if (fill !== undefined && !isLarge && contrast(fill, ground) < MIN_CONTRAST) setters.push(fillColour(text));
    if (stroke !== undefined && contrast(stroke, ground) < MIN_CONTRAST) setters.push(strokeColour(text));
    if (setters.length === 0) return;
    frame.replace({ start, end: start }, `q ${setters.join(' ')} `);
    frame.replace({ start: operator.end, end: operator.end }, ' Q');
  }

  #finish(
    frame: Frame,
    { begin, colours, lasting, saved, paints, unbound }: TextObject,
    end: Operator,
    state: GraphicsState,
  ): void {
    if (!paints) return;
    for (const colour of colours) frame.replace(colour, '');
    const bound = !unbound && saved.length === 0;
    frame.replace(begin, bound ? `q ${this.#setters} BT` : `${this.#setters} BT`);
    frame.replace(
      end,
      bound
        ? `ET Q\n${lasting.join('\n')}\n`
        : `ET ${colourSetter(state.fill, false)} ${colourSetter(state.stroke, true)}`,
    );
  }
}

/** Returns the operators that set a colour as content did. */
function colourSetter({ space, values, pattern }: ContentColour, stroke: boolean): string {
  const cased = (name: string): string => (stroke ? name.toUpperCase() : name);
  const device = { DeviceGray: 'g', DeviceRGB: 'rg', DeviceCMYK: 'k' }[space];
  if (device !== undefined && values.length > 0) return operatorText(cased(device), ...values);
  const chosen = operatorText(cased('cs'), new ContentName(space));
  return values.length === 0 && pattern === undefined
    ? chosen
    : `${chosen} ` +
        `${operatorText(cased('scn'), ...values, ...(pattern === undefined ? [] : [new ContentName(pattern)]))}`;
}

/** Content longer than this is not a simple shape and is not examined. */
const SIMPLE_BYTES = 2000;

function segmentsOf(path: Uint8Array): number {
  return path.length > SIMPLE_BYTES ? Infinity : (Buffer.from(path).toString('latin1').match(SEGMENTS) ?? []).length;
}

/** Returns the operator that sets the stroke colour. */
function strokeColour(colour: Colour): string {
  return fillColour(colour).replace(/rg$/, 'RG');
}
