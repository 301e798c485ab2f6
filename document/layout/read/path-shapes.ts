import type { Box } from '../model.js';

/** A level or upright side of a shape: `from` < `to` along it, `at` across. */
export interface Side {
  readonly direction: 'horizontal' | 'vertical';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** A piece of a path between two moves. */
export interface Shape {
  readonly box: Box;
  readonly sides: readonly Side[];
  readonly curved: boolean;
  /** True when it has a straight side that is neither level nor upright. */
  readonly slanted: boolean;
}

/** A side may lean so far, in points, or by so much of its length: scans and careless producers. */
const LEAN = 0.3;
const SLOPE = 0.005;

/** Takes the points x, y of a subpath; a curve is NaN, NaN before its last point. `closed` adds the closing side. */
export function shapeOf(points: readonly number[], closed: boolean): Shape {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const sides: Side[] = [];
  let [curved, slanted, after] = [false, false, false];
  let [px, py] = [NaN, NaN];
  const visit = (x: number, y: number): void => {
    if (Number.isNaN(x)) {
      [curved, after] = [true, true];
      return;
    }
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    if (!Number.isNaN(px) && !after && (px !== x || py !== y)) {
      const side = sideOf(px, py, x, y);
      if (side === undefined) slanted = true;
      else sides.push(side);
    }
    after = false;
    [px, py] = [x, y];
  };
  for (let i = 0; i + 1 < points.length; i += 2) visit(points[i]!, points[i + 1]!);
  if (closed) visit(points[0]!, points[1]!);
  return { box: { left, top, right, bottom }, sides, curved, slanted };
}

function sideOf(x1: number, y1: number, x2: number, y2: number): Side | undefined {
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (width >= height)
    return height <= Math.max(LEAN, width * SLOPE)
      ? { direction: 'horizontal', at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) }
      : undefined;
  return width <= Math.max(LEAN, height * SLOPE)
    ? { direction: 'vertical', at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) }
    : undefined;
}
