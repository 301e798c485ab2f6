import type { Box, Quad } from '../../content/index.js';

/** A point x, y. */
export type Point = readonly [number, number];
/** Corners of a convex polygon, counter-clockwise. */
export type Convex = readonly Point[];

/**
 * The convex polygon around points, counter-clockwise (monotone chain); fewer than three corners where they lie on a
 * line.
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

/** The corners of a quad in whatever order they are told: /QuadPoints are written both ways round and across. */
export function convexOf([x0, y0, x1, y1, x2, y2, x3, y3]: Quad): Convex {
  return hullOf([
    [x0, y0],
    [x1, y1],
    [x2, y2],
    [x3, y3],
  ]);
}

/** The smallest box around points. */
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

/** True when a point lies in a polygon or on its edge. */
export function holdsPoint(polygon: Convex, point: Point): boolean {
  if (polygon.length < 3) return false;
  for (let i = 0; i < polygon.length; i++)
    if (cross(polygon[i]!, polygon[(i + 1) % polygon.length]!, point) < 0) return false;
  return true;
}

/** True when all points lie in a polygon, or out of it by no more than so much. */
export function holdsAll(polygon: Convex, points: readonly Point[], slack = 1e-6): boolean {
  if (polygon.length < 3) return false;
  for (let i = 0; i < polygon.length; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    const least = -slack * Math.hypot(to[0] - from[0], to[1] - from[1]);
    for (const point of points) if (cross(from, to, point) < least) return false;
  }
  return true;
}

/** True when a polygon and another convex one, a line or a point have more in common than an edge (separating axes). */
export function overlaps(polygon: Convex, other: readonly Point[]): boolean {
  if (polygon.length < 3 || other.length === 0) return false;
  return !isApart(polygon, other) && !isApart(other, polygon);
}

/** True when an edge of the first has all of the second on its other side, edge to edge included. */
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

/**
 * A polygon with every edge moved outwards by so much; its corners stay corners, so that it reaches out a little
 * further there.
 */
export function widened(polygon: Convex, by: number): Convex {
  if (polygon.length < 3 || by === 0) return polygon;
  return polygon.map((corner, i) => {
    const [before, after] = [polygon[(i + polygon.length - 1) % polygon.length]!, polygon[(i + 1) % polygon.length]!];
    const [ax, ay] = normal(before, corner);
    const [bx, by1] = normal(corner, after);
    // The moved edges meet at n1 + n2 over 1 + n1·n2; edges that nearly turn back are cut off at eight widths.
    const length = Math.max(1 / 8, 1 + ax * bx + ay * by1);
    return [corner[0] + ((ax + bx) * by) / length, corner[1] + ((ay + by1) * by) / length] as const;
  });
}

/** What two convex polygons have in common (Sutherland and Hodgman); fewer than three corners where that is nothing. */
export function common(subject: Convex, polygon: Convex): Convex {
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

/** Which side of the line from a to b a point lies on: positive to the left. */
export function cross(a: Point, b: Point, point: Point): number {
  return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
}

/**
 * Where a straight line runs through the inside of a polygon, as parts of its length (Cyrus and Beck); undefined where
 * it does not, along an edge included.
 */
export function stretchIn(a: Point, b: Point, polygon: Convex): readonly [number, number] | undefined {
  let [enter, leave] = [0, 1];
  for (let i = 0; i < polygon.length; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    // Off the edge's line by less than can be told is on it.
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

/** The outward normal of an edge of a polygon drawn counter-clockwise. */
function normal(from: Point, to: Point): Point {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(x, y) || 1;
  return [y / length, -x / length];
}
