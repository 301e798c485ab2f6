import type { PDFContext, PDFDict, PDFObject } from 'pdf-lib';
import type { Matrix } from '../../structure/geometry/matrix.js';
import { asDict, asName, asNumber, asText, dictOf, elements, entry } from '../../file/objects/index.js';
import { boxOf, normaliseAngle } from '../../structure/pages/index.js';

/** Border styles of a widget (ISO 32000-1, table 166). */
export type BorderStyle = 'solid' | 'dashed' | 'beveled' | 'inset' | 'underline';

/**
 * Look of a widget as its dictionary defines it, in the coordinates of its appearance: upright, with the origin at the
 * lower left.
 */
export interface WidgetLook {
  readonly width: number;
  readonly height: number;
  /**
   * Maps these coordinates to those of the annotation, which /R of its characteristics rotates (ISO 32000-1, table
   * 189).
   */
  readonly matrix: Matrix | undefined;
  /** One, three or four colour components. */
  readonly background: readonly number[] | undefined;
  readonly borderColour: readonly number[] | undefined;
  readonly borderWidth: number;
  readonly borderStyle: BorderStyle;
  readonly dash: readonly number[];
  /** Text of a push button, or the character that marks a check box. */
  readonly caption: string;
  /** Width of the border on each side, in points. */
  readonly inset: number;
}

const styles: Readonly<Record<string, BorderStyle>> = {
  S: 'solid',
  D: 'dashed',
  B: 'beveled',
  I: 'inset',
  U: 'underline',
};

/** Returns the counterclockwise rotation of a widget's content in relation to its page: 0, 90, 180 or 270. */
export function widgetRotation(context: PDFContext, widget: PDFDict): number {
  const characteristics = asDict(context, entry(widget, 'MK'));
  const turn = characteristics === undefined ? 0 : (asNumber(context, entry(characteristics, 'R')) ?? 0);
  return turn % 90 === 0 ? normaliseAngle(turn) : 0;
}

/** Reads the look of a widget; returns undefined if it has no size. */
export function readWidgetLook(context: PDFContext, widget: PDFDict): WidgetLook | undefined {
  const rect = boxOf(context, entry(widget, 'Rect'));
  if (rect === undefined || rect[0] === rect[2] || rect[1] === rect[3]) return undefined;
  const characteristics = asDict(context, entry(widget, 'MK')) ?? dictOf(context, {});
  const [w, h] = [rect[2] - rect[0], rect[3] - rect[1]];
  const rotation = widgetRotation(context, widget);
  const [width, height] = rotation === 90 || rotation === 270 ? [h, w] : [w, h];
  const matrices: Readonly<Record<number, Matrix>> = {
    90: [0, 1, -1, 0, w, 0],
    180: [-1, 0, 0, -1, w, h],
    270: [0, -1, 1, 0, 0, h],
  };
  const borderColour = colourOf(context, entry(characteristics, 'BC'));
  const { borderWidth, borderStyle, dash } = borderOf(
    context,
    widget,
    borderColour !== undefined,
    Math.min(width, height) / 2,
  );
  return {
    width,
    height,
    matrix: matrices[rotation],
    background: colourOf(context, entry(characteristics, 'BG')),
    borderColour,
    borderWidth,
    borderStyle,
    dash,
    caption: asText(context, entry(characteristics, 'CA')) ?? '',
    inset: borderStyle === 'beveled' || borderStyle === 'inset' ? borderWidth * 2 : borderWidth,
  };
}

/**
 * A border style dictionary takes precedence over the older array (ISO 32000-1, 12.5.4). A border without a colour has
 * no width unless one is set.
 */
function borderOf(
  context: PDFContext,
  widget: PDFDict,
  coloured: boolean,
  most: number,
): Pick<WidgetLook, 'borderWidth' | 'borderStyle' | 'dash'> {
  const style = asDict(context, entry(widget, 'BS'));
  const old = elements(context, entry(widget, 'Border'));
  const width = style === undefined ? asNumber(context, old[2]) : asNumber(context, entry(style, 'W'));
  const dash = elements(context, style === undefined ? old[3] : entry(style, 'D'))
    .map((value) => asNumber(context, value) ?? 0)
    .filter((value) => value >= 0)
    .slice(0, 8);
  const borderStyle =
    style === undefined
      ? dash.length > 0
        ? 'dashed'
        : 'solid'
      : (styles[asName(context, entry(style, 'S')) ?? 'S'] ?? 'solid');
  const wanted = width ?? (coloured || style !== undefined ? 1 : 0);
  return {
    borderWidth: Math.min(Math.max(0, wanted), most),
    borderStyle,
    dash: dash.some((value) => value > 0) ? dash : [3],
  };
}

function colourOf(context: PDFContext, value: PDFObject | undefined): readonly number[] | undefined {
  const parts = elements(context, value).map((part) => Math.min(1, Math.max(0, asNumber(context, part) ?? 0)));
  return [1, 3, 4].includes(parts.length) ? parts : undefined;
}
