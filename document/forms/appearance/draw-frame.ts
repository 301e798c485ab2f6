import { decimal } from '../../content/drawing/index.js';
import type { WidgetLook } from './widget-look.js';

const fillOperators: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };
/** Distance of the control points when a quarter of a circle is drawn as a Bézier curve, for radius 1. */
const ARC = 0.5523;
/** Colours of the lit and the shaded edges that make a border look raised or sunken. */
const edges = { beveled: ['1 g', '0.5 g'], inset: ['0.5 g', '0.75 g'] } as const;

/** Returns the operator that sets the fill colour. */
function fillOf(colour: readonly number[]): string {
  return `${colour.map(decimal).join(' ')} ${fillOperators[colour.length] ?? 'g'}`;
}

/** Returns the operators that draw a widget's background and border, as a rectangle or as an inscribed circle. */
export function frameOperators(look: WidgetLook, round = false): string {
  const { width, height, background, borderColour, borderWidth: thick, borderStyle } = look;
  const parts: string[] = [];
  if (background !== undefined)
    parts.push(fillOf(background), round ? `${circle(look, 0)} f` : `0 0 ${decimal(width)} ${decimal(height)} re f`);
  if (thick > 0 && !round && (borderStyle === 'beveled' || borderStyle === 'inset'))
    parts.push(...raisedEdges(look, edges[borderStyle]));
  if (borderColour !== undefined && thick > 0) {
    parts.push(
      fillOf(borderColour).replace(/\w+$/, (operator) => operator.toUpperCase()),
      `${decimal(thick)} w`,
    );
    if (borderStyle === 'dashed') parts.push(`[${look.dash.map(decimal).join(' ')}] 0 d`);
    if (round) parts.push(`${circle(look, thick / 2)} s`);
    else if (borderStyle === 'underline')
      parts.push(`0 ${decimal(thick / 2)} m ${decimal(width)} ${decimal(thick / 2)} l S`);
    else parts.push(`${[thick / 2, thick / 2, width - thick, height - thick].map(decimal).join(' ')} re s`);
  }
  return parts.length === 0 ? '' : `q ${parts.join('\n')} Q`;
}

/** Returns the path of a centred circle, `inset` points inside the nearest sides. */
export function circle({ width, height }: Pick<WidgetLook, 'width' | 'height'>, inset: number): string {
  const [x, y] = [width / 2, height / 2];
  const r = Math.max(0, Math.min(x, y) - inset);
  const k = r * ARC;
  const points = (...numbers: readonly number[]): string => numbers.map(decimal).join(' ');
  return [
    `${points(x + r, y)} m`,
    `${points(x + r, y + k, x + k, y + r, x, y + r)} c`,
    `${points(x - k, y + r, x - r, y + k, x - r, y)} c`,
    `${points(x - r, y - k, x - k, y - r, x, y - r)} c`,
    `${points(x + k, y - r, x + r, y - k, x + r, y)} c h`,
  ].join(' ');
}

/** Draws one strip along the upper left and one along the lower right, inside the border and as thick as it. */
function raisedEdges(
  { width, height, borderWidth: t }: WidgetLook,
  [upper, lower]: readonly [string, string],
): string[] {
  const polygon = (points: readonly (readonly [number, number])[]): string =>
    `${points.map(([x, y], i) => `${decimal(x)} ${decimal(y)} ${i === 0 ? 'm' : 'l'}`).join(' ')} f`;
  const [left, bottom, right, top] = [t, t, width - t, height - t];
  return [
    upper,
    polygon([
      [left, bottom],
      [left, top],
      [right, top],
      [right - t, top - t],
      [left + t, top - t],
      [left + t, bottom + t],
    ]),
    lower,
    polygon([
      [right, top],
      [right, bottom],
      [left, bottom],
      [left + t, bottom + t],
      [right - t, bottom + t],
      [right - t, top - t],
    ]),
  ];
}
