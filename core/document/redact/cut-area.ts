import type { Region } from './areas.js';
import { boxOfPoints, cross, holdsAll, type Point } from './convex.js';

/** Pieces into which one part of a path is cut at most. */
const MAX_CUTS = 50_000;

/**
 * Takes convex regions out of a closed contour. The plane without a convex polygon is as many convex parts as that has edges: clipped to each of
 * them (Sutherland and Hodgman), a contour turns round every point there as often as before, so that the pieces together are the exact
 * difference under either fill rule, together with whatever other contours the path has. Gives the contour itself where it lies apart from all
 * regions, and nothing where one holds it, or where it falls into too many pieces to be written.
 */
export function cutContour(contour: readonly Point[], regions: readonly Region[]): readonly (readonly Point[])[] {
  const left = { cuts: MAX_CUTS };
  const pieces = cut(contour, regions, left);
  return left.cuts < 0 ? [] : pieces;
}

function cut(contour: readonly Point[], regions: readonly Region[], left: { cuts: number }): readonly (readonly Point[])[] {
  if (regions.length === 0 || left.cuts < 0) return [contour];
  const box = boxOfPoints(contour);
  const near = regions.filter((region) => region.box[0] < box[2] && box[0] < region.box[2] && region.box[1] < box[3] && box[1] < region.box[3]);
  const chosen = near[near.length >> 1];
  if (chosen === undefined) return [contour];
  const { polygon } = chosen;
  if (holdsAll(polygon, contour)) return [];
  const rest = near.filter((region) => region !== chosen);
  const outer: Point[][] = [];
  let inner: readonly Point[] = contour;
  for (let i = 0; i < polygon.length && inner.length > 0; i++) {
    const [from, to] = [polygon[i]!, polygon[(i + 1) % polygon.length]!];
    const piece = clipped(inner, from, to, -1);
    if (piece.length > 2) outer.push(piece);
    inner = clipped(inner, from, to, 1);
  }
  // Nothing of it was in there after all: it stays in one piece.
  if (isNothing(inner, polygon)) return cut(contour, rest, left);
  left.cuts -= outer.length;
  return outer.flatMap((piece) => cut(piece, rest, left));
}

/** The part of a contour on one side of a line: 1 for its left. */
function clipped(contour: readonly Point[], from: Point, to: Point, side: 1 | -1): Point[] {
  const kept: Point[] = [];
  let before = contour[contour.length - 1]!;
  let distance = cross(from, to, before) * side;
  for (const point of contour) {
    const next = cross(from, to, point) * side;
    if ((distance > 0 && next < 0) || (distance < 0 && next > 0)) {
      const t = distance / (distance - next);
      kept.push([before[0] + (point[0] - before[0]) * t, before[1] + (point[1] - before[1]) * t]);
    }
    if (next >= 0) kept.push(point);
    before = point;
    distance = next;
  }
  return kept.some((point) => cross(from, to, point) !== 0) ? kept : [];
}

/** True for what is left of a contour that only runs along the edges of a polygon without going round anything. */
function isNothing(contour: readonly Point[], polygon: readonly Point[]): boolean {
  if (contour.length < 3) return true;
  const [left, bottom, right, top] = boxOfPoints(polygon);
  const hair = 1e-9 * ((right - left) * (top - bottom) + 1e-12);
  let area = 0;
  for (let i = 0; i < contour.length; i++) area += cross([0, 0], contour[i]!, contour[(i + 1) % contour.length]!);
  return Math.abs(area) < hair && contour.every((point) => polygon.some((from, i) => Math.abs(cross(from, polygon[(i + 1) % polygon.length]!, point)) < hair));
}
