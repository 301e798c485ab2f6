import { decimal } from '../../content/drawing/index.js';
import { circle } from './draw-frame.js';
import type { WidgetLook } from './widget-look.js';

/** Marks of check boxes as points in a unit square, by their character in ZapfDingbats (ISO 32000-1, annex D.6). */
const polygons: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  '4': [
    [0.02, 0.44],
    [0.16, 0.58],
    [0.36, 0.3],
    [0.82, 0.95],
    [0.98, 0.95],
    [0.44, 0.05],
    [0.3, 0.05],
  ],
  '8': [
    [0.05, 0.2],
    [0.2, 0.05],
    [0.5, 0.35],
    [0.8, 0.05],
    [0.95, 0.2],
    [0.65, 0.5],
    [0.95, 0.8],
    [0.8, 0.95],
    [0.5, 0.65],
    [0.2, 0.95],
    [0.05, 0.8],
    [0.35, 0.5],
  ],
  u: [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ],
  n: [
    [0.08, 0.08],
    [0.92, 0.08],
    [0.92, 0.92],
    [0.08, 0.92],
  ],
  H: Array.from({ length: 10 }, (_, i) => {
    const [angle, reach] = [Math.PI / 2 + (i * Math.PI) / 5, i % 2 === 0 ? 0.52 : 0.2];
    return [0.5 + reach * Math.cos(angle), 0.48 + reach * Math.sin(angle)] as const;
  }),
};
/** Size of a mark, as a share of the space within the border or of the text size, if one is set. */
const SHARE = 0.8;
/** Size of a radio button's dot, as a share of the space within its border. */
const DOT = 0.5;

/**
 * Returns the operators that draw the mark of a selected check box or radio button. Marks are drawn as paths so that
 * they do not depend on the viewer's symbol font. `l` is the dot of radio buttons; unknown marks become a tick.
 */
export function markOperators(look: WidgetLook, mark: string, size: number, colour: string): string {
  const available = Math.min(look.width, look.height) - look.inset * 2;
  if (available <= 0) return '';
  if (mark === 'l') {
    const dot = size > 0 ? Math.min(available, size * SHARE) : available * DOT;
    return `q ${colour}\n${circle(look, (Math.min(look.width, look.height) - dot) / 2)} f Q`;
  }
  const side = Math.min(available, size > 0 ? size : available) * SHARE;
  const [left, bottom] = [(look.width - side) / 2, (look.height - side) / 2];
  const points = (polygons[mark] ?? polygons['4'] ?? []).map(
    ([x, y], i) => `${decimal(left + x * side)} ${decimal(bottom + y * side)} ${i === 0 ? 'm' : 'l'}`,
  );
  return `q ${colour}\n${points.join(' ')} f Q`;
}
