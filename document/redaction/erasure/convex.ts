import type { Box, Quad } from '../../content/index.js';

/** Coordinates x, y. */
export type Point = readonly [number, number];
/** Corners of a convex polygon, counter-clockwise. */
export type Convex = readonly Point[];

/**
 * Returns the convex hull of points, counter-clockwise (monotone chain); fewer than three corners if they are
 * collinear.
 */
export function hullOf(points: readonly Point[]): Convex {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (from: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of from) {
      while (chain.length >= 2 && cross(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Returns the corners of a quad, whatever their order: writers store /QuadPoints in both directions and crosswise. */
export function convexOf([x0, y0, x1, y1, x2, y2, x3, y3]: Quad): Convex {
  return hullOf([
    [x0, y0],
    [x1, y1],
    [x2, y2],
    [x3, y3],
  ]);
}

/** Returns the bounding box of points. */
export function boxOfPoints(points: readonly Point[]): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return [left, bottom, right, top];
}

/** Returns true if a point is inside a polygon or on its edge. */
export function containsPoint(polygon: Convex, point: Point): boolean {
  if (polygon.length < 3) return false;
  for (let i = 0; i < polygon.length; i++)
    if (cross(polygon[i]!, polygon[(i + 1) % polygon.length]!, point) < 0) return false;
  return true;
}

/** Returns true if all points are inside a polygon, with a tolerance of `slack`. */
export function containsAll(polygon: Convex, points: readonly Point[], slack = 1e-6): boolean {
  if (polygon.length < 3) return false;
  for (let i = 0; i < polygon.length; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    const least = -slack * Math.hypot(to[0] - from[0], to[1] - from[1]);
    for (const point of points) if (cross(from, to, point) < least) return false;
  }
  return true;
}

/**
 * Returns true if a polygon and another convex polygon, a line or a point share more than an edge (separating axes).
 */
export function overlaps(polygon: Convex, other: readonly Point[]): boolean {
  if (polygon.length < 3 || other.length === 0) return false;
  return !isApart(polygon, other) && !isApart(other, polygon);
}

/**
 * Returns true if an edge of the first polygon has all of the second on its outer side; touching edges count as
 * separate.
 */
function isApart(first: readonly Point[], second: readonly Point[]): boolean {
  for (let i = 0; i < first.length; i++) {
    const [from, to] = [first[i]!, first[(i + 1) % first.length]!];
    const [nx, ny] = [to[1] - from[1], from[0] - to[0]];
    if (nx === 0 && ny === 0) continue;
    let [low, high] = [Infinity, -Infinity];
    for (const [x, y] of first) {
      const at = x * nx + y * ny;
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
    let [least, most] = [Infinity, -Infinity];
    for (const [x, y] of second) {
      const at = x * nx + y * ny;
      least = Math.min(least, at);
      most = Math.max(most, at);
    }
    const hair = 1e-9 * (Math.abs(low) + Math.abs(high) + 1e-9);
    if (least >= high - hair || most <= low + hair) return true;
  }
  return false;
}

/** Moves every edge of a polygon outwards by a distance. Corners stay sharp, so they move somewhat further. */
export function widened(polygon: Convex, by: number): Convex {
  if (polygon.length < 3 || by === 0) return polygon;
  return polygon.map((corner, i) => {
    const [before, after] = [polygon[(i + polygon.length - 1) % polygon.length]!, polygon[(i + 1) % polygon.length]!];
    const [ax, ay] = normal(before, corner);
    const [bx, by1] = normal(corner, after);
    // The moved edges meet at n1 + n2 over 1 + n1·n2; very sharp corners are limited to eight times the distance.
    const length = Math.max(1 / 8, 1 + ax * bx + ay * by1);
    return [corner[0] + ((ax + bx) * by) / length, corner[1] + ((ay + by1) * by) / length] as const;
  });
}

/**
 * Returns the intersection of two convex polygons (Sutherland and Hodgman); fewer than three corners if it is empty.
 */
export function intersection(subject: Convex, polygon: Convex): Convex {
  let left: Point[] = [...subject];
  for (let i = 0; i < polygon.length && left.length > 0; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    const kept: Point[] = [];
    for (const [k, point] of left.entries()) {
      const before = left[(k + left.length - 1) % left.length]!;
      const [was, is] = [cross(from, to, before), cross(from, to, point)];
      if (was * is < 0)
        kept.push([
          before[0] + ((point[0] - before[0]) * was) / (was - is),
          before[1] + ((point[1] - before[1]) * was) / (was - is),
        ]);
      if (is >= 0) kept.push(point);
    }
    left = kept;
  }
  return left;
}

/** Returns on which side of the line from a to b a point is: positive on the left. */
function cross(a: Point, b: Point, point: Point): number {
  return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
}

/**
 * Returns the part of a line segment inside a polygon as fractions of its length (Cyrus and Beck); undefined if there
 * is none, or if it only runs along an edge.
 */
export function stretchIn(a: Point, b: Point, polygon: Convex): readonly [number, number] | undefined {
  let [enter, leave] = [0, 1];
  for (let i = 0; i < polygon.length; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    // A point this close to the line of an edge counts as on it.
    const hair =
      1e-12 *
      (Math.abs(from[0]) + Math.abs(from[1]) + Math.abs(to[0]) + Math.abs(to[1])) *
      (Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]));
    const [start, end] = [cross(from, to, a), cross(from, to, b)].map((value) =>
      Math.abs(value) < hair ? 0 : value,
    ) as [number, number];
    if (start <= 0 && end <= 0) return undefined;
    if (start < 0) enter = Math.max(enter, start / (start - end));
    else if (end < 0) leave = Math.min(leave, start / (start - end));
    if (enter >= leave) return undefined;
  }
  return [enter, leave];
}

/** Returns the outward normal of an edge of a counter-clockwise polygon. */
function normal(from: Point, to: Point): Point {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(x, y) || 1;
  return [y / length, -x / length];
}
