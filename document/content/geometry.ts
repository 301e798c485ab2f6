import type { Box, Matrix } from '../structure/geometry/matrix.js';

export { type Box, identity, invert as inverse, multiply } from '../structure/geometry/matrix.js';

/**
 * Four corners x, y in the order in which they are drawn: of a glyph or image from its lower left one,
 * counter-clockwise as it stands itself.
 */
export type Quad = readonly [number, number, number, number, number, number, number, number];

/** A box that holds every point. */
export const everywhere: Box = [-Infinity, -Infinity, Infinity, Infinity];
/** A box that holds no point. */
export const nowhere: Box = [Infinity, Infinity, -Infinity, -Infinity];

/** A point moved by a transformation. */
export function applyTo([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** A rectangle's corners moved by a transformation. */
export function quadOf(matrix: Matrix, [left, bottom, right, top]: Box): Quad {
  return [
    ...applyTo(matrix, left, bottom),
    ...applyTo(matrix, right, bottom),
    ...applyTo(matrix, right, top),
    ...applyTo(matrix, left, top),
  ];
}

/** The smallest box around a quad. */
export function boxAround(quad: Quad): Box {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = quad;
  return [Math.min(x0, x1, x2, x3), Math.min(y0, y1, y2, y3), Math.max(x0, x1, x2, x3), Math.max(y0, y1, y2, y3)];
}

/** Returns the intersection of two boxes; it is empty (`isEmpty`) if they do not overlap. */
export function intersect(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

/** True for a box that holds no point. */
export function isEmpty([left, bottom, right, top]: Box): boolean {
  return !(left <= right && bottom <= top);
}

/** The box that holds this one and a point. */
export function including([left, bottom, right, top]: Box, x: number, y: number): Box {
  return [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
}

/** How much a transformation stretches at most. */
export function stretch([a, b, c, d]: Matrix): number {
  return Math.max(Math.hypot(a, b), Math.hypot(c, d));
}
