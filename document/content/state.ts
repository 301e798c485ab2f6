import type { PDFDict } from 'pdf-lib';
import type { Frame } from './frame.js';
import { type Box, identity } from './geometry.js';
import type { ContentDict, Matrix, Operator } from './operands.js';

/** A colour as the content sets it. */
export interface ContentColour {
  /** Name of the colour space: a device space, `Pattern`, or a name of the resources. */
  readonly space: string;
  readonly values: readonly number[];
  /** Name of the pattern in the resources, where it is one. */
  readonly pattern?: string;
}

/** How a line is broken into dashes (ISO 32000-1, 8.4.3.6); without lengths it is solid. */
export interface Dash {
  readonly lengths: readonly number[];
  readonly phase: number;
}

/** Parameters of text (ISO 32000-1, 9.3), in units of text space. */
export interface TextState {
  readonly charSpacing: number;
  readonly wordSpacing: number;
  /** Horizontal scaling as a factor: 1 for 100 %. */
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
  /** Rendering mode 0 to 7; 3 and 7 paint nothing. */
  readonly mode: number;
  /** Name in the resources; a font set by an ExtGState has none. */
  readonly fontName: string | undefined;
  readonly font: PDFDict | undefined;
  readonly size: number;
}

/** The parts of the graphics state that determine position and colour (ISO 32000-1, 8.4). Never changed in place. */
export interface GraphicsState {
  /** From user space of the content at hand to default user space of the page, before /Rotate and /UserUnit. */
  readonly ctm: Matrix;
  /** A box around what may be painted on, in default user space; the true clip may be smaller. */
  readonly clip: Box;
  readonly fill: ContentColour;
  readonly stroke: ContentColour;
  readonly lineWidth: number;
  readonly miterLimit: number;
  /** How lines end and meet: 0 to 2 (ISO 32000-1, tables 54 and 55). */
  readonly lineCap: number;
  readonly lineJoin: number;
  readonly dash: Dash;
  /** Constant opacity of strokes and of everything else. */
  readonly strokeAlpha: number;
  readonly fillAlpha: number;
  readonly text: TextState;
}

/** Marked content around an operator, the innermost first (ISO 32000-1, 14.6). */
export interface MarkedContent {
  readonly tag: string;
  /** Its property list, written in place or named in the resources. */
  readonly properties: ContentDict | PDFDict | undefined;
  /** The operator that began it, and where that stands. */
  readonly operator: Operator;
  readonly frame: Frame;
  readonly above: MarkedContent | undefined;
}

const solid: Dash = { lengths: [], phase: 0 };
const black: ContentColour = { space: 'DeviceGray', values: [0] };

/** The state in which the content of a page begins (ISO 32000-1, table 52). */
export function initialState(clip: Box): GraphicsState {
  return {
    ctm: identity,
    clip,
    fill: black,
    stroke: black,
    lineWidth: 1,
    miterLimit: 10,
    lineCap: 0,
    lineJoin: 0,
    dash: solid,
    strokeAlpha: 1,
    fillAlpha: 1,
    text: {
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      fontName: undefined,
      font: undefined,
      size: 0,
    },
  };
}
