/** A point of a picture; 0 to 1 from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Corners of a page in a picture: upper left, upper right, lower right, lower left. */
export type Quad = readonly [Point, Point, Point, Point];

export const WHOLE: Quad = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

/** True if the corners go round in order, so that the area can be straightened. */
export function isConvex(quad: Quad): boolean {
  return quad.every((point, i) => {
    const [next, after] = [quad[(i + 1) % 4]!, quad[(i + 2) % 4]!];
    return (next.x - point.x) * (after.y - next.y) - (next.y - point.y) * (after.x - next.x) > 1e-4;
  });
}

/** Size of the straightened page in pixels: the longer of opposite edges. */
export function sizeOf(quad: Quad, width: number, height: number): { readonly width: number; readonly height: number } {
  const edge = (a: Point, b: Point): number => Math.hypot((a.x - b.x) * width, (a.y - b.y) * height);
  const [a, b, c, d] = quad;
  return { width: Math.max(edge(a, b), edge(d, c)), height: Math.max(edge(a, d), edge(b, c)) };
}

/**
 * Returns where a point of the straightened page (0 to 1) is in the picture: the projective map of the unit square to
 * the corners (Heckbert, "Fundamentals of Texture Mapping", 1989, 2.2.3).
 */
export function projection([p0, p1, p2, p3]: Quad): (u: number, v: number) => Point {
  const [dx1, dx2, sx] = [p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x];
  const [dy1, dy2, sy] = [p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / divisor;
  const h = (dx1 * sy - sx * dy1) / divisor;
  const [a, b] = [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x];
  const [d, e] = [p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y];
  return (u, v) => {
    const w = g * u + h * v + 1;
    return { x: (a * u + b * v + p0.x) / w, y: (d * u + e * v + p0.y) / w };
  };
}
