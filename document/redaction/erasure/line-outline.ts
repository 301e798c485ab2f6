import { type Convex, hullOf, type Point } from './convex.js';

/** Cosine of the sharpest bend that needs no visible join, as in curves converted to straight lines. */
const SOFT = 0.95;

export interface LineStyle {
  /** Half of the line width. */
  readonly half: number;
  readonly cap: number;
  readonly join: number;
  readonly miterLimit: number;
  /** Largest deviation of a polygon from a circle. */
  readonly tolerance: number;
}

/**
 * Returns the area that a line covers as overlapping convex polygons, counter-clockwise: filled with the nonzero rule
 * they look like the line (ISO 32000-1, 8.5.3.2).
 */
export function outlineOf(points: readonly Point[], closed: boolean, style: LineStyle): Convex[] {
  const line = points.filter((point, i) => i === 0 || point[0] !== points[i - 1]![0] || point[1] !== points[i - 1]![1]);
  if (
    closed &&
    line.length > 1 &&
    line[0]![0] === line[line.length - 1]![0] &&
    line[0]![1] === line[line.length - 1]![1]
  )
    line.pop();
  const [first] = line;
  if (first === undefined) return [];
  // A line of length zero has no direction: it becomes a dot of the size of its caps.
  if (line.length === 1)
    return style.cap === 1 ? [arc(first, 0, 2 * Math.PI, style)] : style.cap === 2 ? [square(first, style.half)] : [];
  const pieces: Convex[] = [];
  const count = closed ? line.length : line.length - 1;
  const corner = (index: number): Point => line[index % line.length]!;
  for (let i = 0; i < count; i++) {
    let [a, b] = [corner(i), corner(i + 1)];
    const [ux, uy] = direction(a, b);
    if (!closed && style.cap === 2 && i === 0) a = [a[0] - ux * style.half, a[1] - uy * style.half];
    if (!closed && style.cap === 2 && i === count - 1) b = [b[0] + ux * style.half, b[1] + uy * style.half];
    const across: Point = [-uy * style.half, ux * style.half];
    const [atStart, atEnd] = [
      (closed || i > 0) && bent(corner(i + line.length - 1), corner(i), corner(i + 1), style.half),
      (closed || i + 1 < count) && bent(corner(i), corner(i + 1), corner(i + 2), style.half),
    ];
    const [start, end] = [atStart || across, atEnd || across];
    pieces.push([
      [a[0] - start[0], a[1] - start[1]],
      [b[0] - end[0], b[1] - end[1]],
      [b[0] + end[0], b[1] + end[1]],
      [a[0] + start[0], a[1] + start[1]],
    ]);
    if ((closed || i + 1 < count) && atEnd === undefined)
      pieces.push(...joinAt(corner(i), corner(i + 1), corner(i + 2), style));
  }
  if (!closed && style.cap === 1)
    pieces.push(cap(line[1]!, first, style), cap(line[line.length - 2]!, line[line.length - 1]!, style));
  return pieces;
}

/**
 * Returns the left corner at a slight bend, where the pieces of a line can share one edge; undefined if they need a
 * join.
 */
function bent(before: Point, at: Point, after: Point, half: number): Point | undefined {
  const [u, v] = [direction(before, at), direction(at, after)];
  const along = u[0] * v[0] + u[1] * v[1];
  if (along < SOFT) return undefined;
  const turn = Math.abs(u[0] * v[1] - u[1] * v[0]) / (1 + along);
  const shortest = Math.min(
    Math.hypot(at[0] - before[0], at[1] - before[1]),
    Math.hypot(after[0] - at[0], after[1] - at[1]),
  );
  // Twice, since the piece may bend at its other end as well.
  if (turn * half * 2 > shortest) return undefined;
  return [(-(u[1] + v[1]) * half) / (1 + along), ((u[0] + v[0]) * half) / (1 + along)];
}

function joinAt(before: Point, at: Point, after: Point, style: LineStyle): Convex[] {
  const { half, join, miterLimit } = style;
  const [u, v] = [direction(before, at), direction(at, after)];
  const turn = u[0] * v[1] - u[1] * v[0];
  const along = u[0] * v[0] + u[1] * v[1];
  if (Math.abs(turn) < 1e-9 && along > 0) return [];
  const side = turn > 0 ? 1 : -1;
  const [a, b]: [Point, Point] = [
    [u[1] * half * side, -u[0] * half * side],
    [v[1] * half * side, -v[0] * half * side],
  ];
  if (join === 1) {
    const [start, end] = side > 0 ? [a, b] : [b, a];
    const from = Math.atan2(start[1], start[0]);
    const width = Math.atan2(start[0] * end[1] - start[1] * end[0], start[0] * end[0] + start[1] * end[1]);
    return [[at, ...arc(at, from, Math.abs(width), style)]];
  }
  const corners: Point[] = [at, [at[0] + a[0], at[1] + a[1]], [at[0] + b[0], at[1] + b[1]]];
  if (join === 0 && along > -1 + 1e-9 && Math.sqrt(2 / (1 + along)) <= miterLimit)
    corners.push([at[0] + (a[0] + b[0]) / (1 + along), at[1] + (a[1] + b[1]) / (1 + along)]);
  const hull = hullOf(corners);
  return hull.length < 3 ? [] : [hull];
}

/** Returns the semicircle at the end of a line. */
function cap(before: Point, at: Point, style: LineStyle): Convex {
  const [ux, uy] = direction(before, at);
  return arc(at, Math.atan2(-ux, uy), Math.PI, style);
}

/**
 * Returns the points of an arc of this angle, counter-clockwise. Pieces that share an edge leave no darker line when
 * both are anti-aliased.
 */
function arc([x, y]: Point, from: number, width: number, { half, tolerance }: LineStyle): Convex {
  const turn = Math.max(8, Math.min(200, Math.ceil(Math.PI / Math.acos(Math.max(-1, 1 - tolerance / half)))));
  const steps = Math.max(1, Math.ceil((turn * width) / (2 * Math.PI)));
  return Array.from(
    { length: steps + 1 },
    (_none, i) =>
      [x + half * Math.cos(from + (width * i) / steps), y + half * Math.sin(from + (width * i) / steps)] as const,
  );
}

function square([x, y]: Point, half: number): Convex {
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
}

function direction(a: Point, b: Point): Point {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
}
