import { type Convex, hullOf, type Point } from './convex.js';

/** How a line is drawn. */
export interface LineStyle {
  /** Half of its width. */
  readonly half: number;
  readonly cap: number;
  readonly join: number;
  readonly miterLimit: number;
}

/** Corners of what stands for a circle. */
const ROUND = 24;

/**
 * The surface that a line covers, as convex pieces drawn counter-clockwise which overlap: filled under the nonzero rule they are the line
 * (ISO 32000-1, 8.5.3.2).
 */
export function outlineOf(points: readonly Point[], closed: boolean, style: LineStyle): Convex[] {
  const line = points.filter((point, i) => i === 0 || point[0] !== points[i - 1]![0] || point[1] !== points[i - 1]![1]);
  if (closed && line.length > 1 && line[0]![0] === line[line.length - 1]![0] && line[0]![1] === line[line.length - 1]![1]) line.pop();
  const [first] = line;
  if (first === undefined) return [];
  // Without length there is no direction: a dot, as far as the ends of lines reach.
  if (line.length === 1) return style.cap === 1 ? [circle(first, style.half)] : style.cap === 2 ? [square(first, style.half)] : [];
  const pieces: Convex[] = [];
  const count = closed ? line.length : line.length - 1;
  const corner = (index: number): Point => line[index % line.length]!;
  for (let i = 0; i < count; i++) {
    let [a, b] = [corner(i), corner(i + 1)];
    const [ux, uy] = direction(a, b);
    if (!closed && style.cap === 2 && i === 0) a = [a[0] - ux * style.half, a[1] - uy * style.half];
    if (!closed && style.cap === 2 && i === count - 1) b = [b[0] + ux * style.half, b[1] + uy * style.half];
    const [nx, ny] = [-uy * style.half, ux * style.half];
    pieces.push([[a[0] - nx, a[1] - ny], [b[0] - nx, b[1] - ny], [b[0] + nx, b[1] + ny], [a[0] + nx, a[1] + ny]]);
    if (closed || i + 1 < count) pieces.push(...joinAt(corner(i), corner(i + 1), corner(i + 2), style));
  }
  if (!closed && style.cap === 1) pieces.push(circle(first, style.half), circle(line[line.length - 1]!, style.half));
  return pieces;
}

function joinAt(before: Point, at: Point, after: Point, { half, join, miterLimit }: LineStyle): Convex[] {
  const [u, v] = [direction(before, at), direction(at, after)];
  const turn = u[0] * v[1] - u[1] * v[0];
  const along = u[0] * v[0] + u[1] * v[1];
  if (Math.abs(turn) < 1e-9 && along > 0) return [];
  if (join === 1) return [circle(at, half)];
  const side = turn > 0 ? 1 : -1;
  const [a, b]: [Point, Point] = [[u[1] * half * side, -u[0] * half * side], [v[1] * half * side, -v[0] * half * side]];
  const corners: Point[] = [at, [at[0] + a[0], at[1] + a[1]], [at[0] + b[0], at[1] + b[1]]];
  if (join === 0 && along > -1 + 1e-9 && Math.sqrt(2 / (1 + along)) <= miterLimit) corners.push([at[0] + (a[0] + b[0]) / (1 + along), at[1] + (a[1] + b[1]) / (1 + along)]);
  const hull = hullOf(corners);
  return hull.length < 3 ? [] : [hull];
}

function circle([x, y]: Point, radius: number): Convex {
  return Array.from({ length: ROUND }, (_none, i) => [x + radius * Math.cos((2 * Math.PI * i) / ROUND), y + radius * Math.sin((2 * Math.PI * i) / ROUND)] as const);
}

function square([x, y]: Point, half: number): Convex {
  return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
}

function direction(a: Point, b: Point): Point {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
}
