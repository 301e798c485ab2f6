/** A point of an image: x to the right, y downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * A rectangle by its centre; `angle` is how far its upper edge is rotated clockwise, in degrees: more than -45 and at
 * most 45.
 */
export interface TurnedRectangle {
  readonly middle: Point;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

/** Returns the convex hull of points, anticlockwise with y growing downwards (Andrew's monotone chain). */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of list) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** True if a point is inside a hull from `convexHull`, or on its edge. */
export function isWithin(point: Point, hull: readonly Point[]): boolean {
  return hull.every((from, i) => cross(from, hull[(i + 1) % hull.length]!, point) >= 0);
}

const cross = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

/**
 * Returns the smallest rectangle around a convex hull; one of its sides is along an edge of the hull. Edges for which
 * `counts` is false do not choose the direction, unless there are no others.
 */
export function smallestRectangle(
  hull: readonly Point[],
  counts: (from: Point, to: Point) => boolean,
): TurnedRectangle {
  const edges = hull
    .map((from, i) => [from, hull[(i + 1) % hull.length]!] as const)
    .filter(([from, to]) => from.x !== to.x || from.y !== to.y);
  const chosen = edges.filter(([from, to]) => counts(from, to));
  let best: TurnedRectangle | undefined;
  for (const [from, to] of chosen.length > 0 ? chosen : edges) {
    const candidate = rectangleAlong(hull, uprightAngle(Math.atan2(to.y - from.y, to.x - from.x)));
    if (best === undefined || candidate.width * candidate.height < best.width * best.height) best = candidate;
  }
  return best ?? rectangleAlong(hull, 0);
}

/** The same direction modulo a right angle: more than -45 and at most 45 degrees, in radians. */
function uprightAngle(angle: number): number {
  const quarter = Math.PI / 2;
  return angle - quarter * Math.ceil(angle / quarter - 0.5);
}

function rectangleAlong(points: readonly Point[], angle: number): TurnedRectangle {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const [along, across] = [x * cos + y * sin, y * cos - x * sin];
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  return {
    middle: { x: along * cos - across * sin, y: along * sin + across * cos },
    width: right - left,
    height: bottom - top,
    angle: (angle * 180) / Math.PI,
  };
}
