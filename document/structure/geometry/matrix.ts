/** A transformation matrix (ISO 32000-1, 8.3.4): x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
/** Coordinates in points. */
export type Point = readonly [x: number, y: number];
/** A rectangle as left, bottom, right, top. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The identity transformation. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** Tolerance for lengths that were written with few digits. */
const CLOSE = 1e-6;

/** Returns the transformation that applies `first`, then `then`. */
export function multiply(first: Matrix, then: Matrix): Matrix {
  // By index, since this runs for each string of a page: destructuring takes a third longer.
  const a = then[0];
  const b = then[1];
  const c = then[2];
  const d = then[3];
  return [
    first[0] * a + first[1] * c,
    first[0] * b + first[1] * d,
    first[2] * a + first[3] * c,
    first[2] * b + first[3] * d,
    first[4] * a + first[5] * c + then[4],
    first[4] * b + first[5] * d + then[5],
  ];
}

/** Returns the inverse transformation, or undefined if the matrix is singular. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const det = a * d - b * c;
  if (!Number.isFinite(det) || Math.abs(det) < 1e-14) return undefined;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

/** Returns a translation. */
export function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

/** Returns a scaling around the origin. */
export function scaling(x: number, y = x): Matrix {
  return [x, 0, 0, y, 0, 0];
}

/** Transforms a point. */
export function applyToPoint([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the bounding box of a transformed box. */
export function applyToBox(matrix: Matrix, [left, bottom, right, top]: Box): Box {
  return boxAround(
    [
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
    ].map(([x = 0, y = 0]) => applyToPoint(matrix, [x, y])),
  );
}

/** Returns the bounding box of points. */
export function boxAround(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Returns the intersection of two boxes, or undefined if they do not overlap; touching edges do not overlap. */
export function overlap(a: Box, b: Box): Box | undefined {
  const cut: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return cut[0] < cut[2] && cut[1] < cut[3] ? cut : undefined;
}

/** Returns the mean factor by which lengths grow. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** Returns true if the transformation rotates, mirrors or skews, beyond translation and scaling along the axes. */
export function turns([a, b, c, d]: Matrix): boolean {
  const close = CLOSE * Math.max(Math.abs(a), Math.abs(d));
  return a <= 0 || d <= 0 || Math.abs(b) > close || Math.abs(c) > close;
}

/** Returns the rotation of a transformation without its scaling and translation. */
export function turnOf([a, b, c, d]: Matrix): Matrix {
  const x = Math.hypot(a, b) || 1;
  const y = Math.hypot(c, d) || 1;
  return [a / x, b / x, c / y, d / y, 0, 0];
}

/** Returns the transformation that scales a box evenly so that it just fits into another one, centred. */
export function fitting([left, bottom, right, top]: Box, into: Box): Matrix {
  // A side of length zero counts as one point, so that no factor becomes infinite.
  const [width, height] = [right - left || 1, top - bottom || 1];
  const [roomX, roomY] = [into[2] - into[0], into[3] - into[1]];
  const scale = Math.min(roomX / width, roomY / height);
  return [
    scale,
    0,
    0,
    scale,
    into[0] + (roomX - width * scale) / 2 - left * scale,
    into[1] + (roomY - height * scale) / 2 - bottom * scale,
  ];
}
