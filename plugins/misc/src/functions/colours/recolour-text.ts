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
import { LEAST_CONTRAST, contrast } from './colour-contrast.js';

/** Text in one colour on ground of another. */
export interface TextOnGround {
  readonly text: Colour;
  readonly ground: Colour;
}

const COLOURS = new Set(['g', 'rg', 'k', 'cs', 'sc', 'scn', 'G', 'RG', 'K', 'CS', 'SC', 'SCN']);
/** What a text object leaves set behind it (ISO 32000-1, 8.4 and 9.3). */
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
/** Text rendering modes from which the text becomes a clip, and the two that paint nothing (ISO 32000-1, table 106). */
const CLIPS = 4;
const UNPAINTED = new Set([3, 7]);
/**
 * Filled shapes at least so wide and high in points, or rows so long and high, are large; smaller ones are marks upon a
 * ground, like letters.
 */
const LARGE = { side: 14, rowHeight: 7, rowLength: 28, share: 0.5 } as const;
/**
 * What text or a mark may stand upon is at least so wide and high, and drawn with no more curves and lines than a
 * rounded box needs.
 */
const GROUND = { side: 5, segments: 12 } as const;
const SEGMENTS = /(?<![^\s\d.])[lcvy](?!\S)/g;

/** A text object while it is read. */
interface TextObject {
  readonly begin: Operator;
  readonly colours: Operator[];
  /** What lasts beyond its end, as it is written. */
  readonly lasting: string[];
  readonly saved: number[];
  paints: boolean;
  /** It becomes a clip, which q and Q would take away again, or takes up a Q that belongs to something before it. */
  unbound: boolean;
}

/** Sees content and notes on its frames what makes text one colour and keeps it readable. */
export class TextRecolouring implements ContentVisitor {
  readonly #open = new Map<Frame, TextObject>();
  readonly #setters: string;

  /**
   * `rgbOf` tells a colour as content sets it; undefined where nobody can say. `font` is told of every font that is
   * chosen.
   */
  constructor(
    private readonly colours: TextOnGround,
    private readonly rgbOf: (what: Painting, kind: 'fill' | 'stroke') => Colour | undefined,
    private readonly font: (frame: Frame, name: string) => void,
    /** Square points of all that is drawn, where that is something small. What covers half of it is ground. */
    private readonly whole = Infinity,
  ) {
    this.#setters = `${fillColour(colours.text)} ${strokeColour(colours.text)}`;
  }

  /**
   * Text objects are put between q and Q, so that the colour ends with them; what they set otherwise is set again
   * behind them.
   */
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
   * Ground that text cannot be read upon becomes the ground; small shapes and lines that would vanish in it are drawn
   * like text.
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
      all || (side >= GROUND.side && segmentsOf(frame.bytes.subarray(start, operator.start)) <= GROUND.segments);
    if (fill !== undefined && isGround && contrast(fill, text) < LEAST_CONTRAST) setters.push(fillColour(ground));
    else if (fill !== undefined && !isLarge && contrast(fill, ground) < LEAST_CONTRAST) setters.push(fillColour(text));
    if (stroke !== undefined && contrast(stroke, ground) < LEAST_CONTRAST) setters.push(strokeColour(text));
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

/** Gives the operators that set a colour as content did. */
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

/** More bytes than a simple shape is written with need not be looked at. */
const SIMPLE_BYTES = 2000;

function segmentsOf(path: Uint8Array): number {
  return path.length > SIMPLE_BYTES ? Infinity : (Buffer.from(path).toString('latin1').match(SEGMENTS) ?? []).length;
}

/** Gives the operator that sets the colour of lines. */
export function strokeColour(colour: Colour): string {
  return fillColour(colour).replace(/rg$/, 'RG');
}
