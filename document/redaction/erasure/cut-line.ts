import type { Region } from './areas.js';
import { type Convex, type Point, stretchIn, widened } from './convex.js';

/** A remaining part of a line: its points, and its distance from the start of the line. */
export interface LinePiece {
  readonly points: readonly Point[];
  readonly from: number;
}

/**
 * Subtracts regions, widened by a distance, from a polyline. Returns undefined if nothing is removed. A part of a
 * closed line continues across its starting point, unless the line is dashed: dashes start again there.
 */
export function cutLine(
  points: readonly Point[],
  closed: boolean,
  regions: readonly Region[],
  by: number,
  dashed: boolean,
): readonly LinePiece[] | undefined {
  const line = closed ? [...points, points[0]!] : points;
  const polygons = regions.map(({ polygon }) => widened(polygon, by));
  const pieces: { points: Point[]; from: number }[] = [];
  let open: { points: Point[]; from: number } | undefined;
  let length = 0;
  let isCut = false;
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i]!, line[i + 1]!];
    const step = Math.hypot(b[0] - a[0], b[1] - a[1]);
    let at = 0;
    for (const [enter, leave] of covered(a, b, polygons)) {
      isCut = true;
      if (enter > at) {
        open ??= { points: [between(a, b, at)], from: length + at * step };
        open.points.push(between(a, b, enter));
      }
      if (open !== undefined) pieces.push(open);
      open = undefined;
      at = Math.max(at, leave);
    }
    if (at < 1) {
      open ??= { points: [between(a, b, at)], from: length + at * step };
      open.points.push(b);
    }
    length += step;
  }
  if (line.length === 1 && polygons.some((polygon) => stretchIn(line[0]!, line[0]!, polygon) !== undefined)) return [];
  if (!isCut) return undefined;
  const [first] = pieces;
  if (open === undefined) return pieces;
  if (!closed || dashed || first === undefined || first.from > 0 || first === open) return [...pieces, open];
  return [...pieces.slice(1), { points: [...open.points, ...first.points.slice(1)], from: open.from }];
}

/** Splits a line into its dashes (ISO 32000-1, 8.4.3.6); returns undefined if there are too many to be visible. */
export function dashes(
  points: readonly Point[],
  closed: boolean,
  lengths: readonly number[],
  phase: number,
  most: number,
): readonly (readonly Point[])[] | undefined {
  const line = closed ? [...points, points[0]!] : points;
  const pattern = lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths];
  const total = pattern.reduce((sum, one) => sum + one, 0);
  let left = ((phase % total) + total) % total;
  let index = 0;
  while (left >= pattern[index]! && left > 0) {
    left -= pattern[index]!;
    index = (index + 1) % pattern.length;
  }
  left = pattern[index]! - left;
  const found: Point[][] = [];
  let open: Point[] | undefined = index % 2 === 0 ? [line[0]!] : undefined;
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i]!, line[i + 1]!];
    const step = Math.hypot(b[0] - a[0], b[1] - a[1]);
    let at = 0;
    while (step - at > left) {
      at += left;
      const point = between(a, b, at / step);
      if (open === undefined) open = [point];
      else {
        open.push(point);
        found.push(open);
        open = undefined;
      }
      if (found.length > most) return undefined;
      index = (index + 1) % pattern.length;
      left = pattern[index]!;
    }
    left -= step - at;
    open?.push(b);
  }
  if (open !== undefined && open.length > 1) found.push(open);
  return found;
}

/** Returns the parts of a line segment inside polygons, in order, as fractions of its length; they may overlap. */
function covered(a: Point, b: Point, polygons: readonly Convex[]): (readonly [number, number])[] {
  return polygons
    .flatMap((polygon) => {
      const found = stretchIn(a, b, polygon);
      return found === undefined ? [] : [found];
    })
    .sort((one, other) => one[0] - other[0]);
}

function between(a: Point, b: Point, t: number): Point {
  return t <= 0 ? a : t >= 1 ? b : [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
}
