import type { PDFContext, PDFDict } from 'pdf-lib';
import { type Box, boxAround, type Quad } from '../../content/index.js';
import { asNumber, elements, entry } from '../../file/objects/index.js';
import { boxOf } from '../../structure/pages/index.js';
import type { Annotation } from '../../structure/annotations/index.js';

/** In points. Smaller overlaps are ignored. */
const SLACK = 0.01;

/**
 * Returns true if an annotation is under one of these areas of its page. Links and text markups are located by the
 * areas that they cover, others by the rectangle in which they draw. A pop-up belongs to its annotation and has no
 * place on the page.
 */
export function liesUnder(context: PDFContext, { dict, kind }: Annotation, areas: readonly Quad[]): boolean {
  if (kind === 'Popup') return false;
  const rect = boxOf(context, entry(dict, 'Rect'));
  const quads = quadPoints(context, dict);
  const own = kind === 'Link' && quads.length > 0 ? quads : [...(rect === undefined ? [] : [corners(rect)]), ...quads];
  return own.some((quad) => areas.some((area) => overlap(quad, area)));
}

/**
 * Returns the areas that a text markup or link covers (ISO 32000-1, 12.5.6.10). Writers disagree on the order of
 * corners, so the bounding box of each area is used.
 */
function quadPoints(context: PDFContext, dict: PDFDict): Quad[] {
  const numbers = elements(context, entry(dict, 'QuadPoints')).map((value) => asNumber(context, value) ?? Number.NaN);
  const quads: Quad[] = [];
  for (let at = 0; at + 8 <= numbers.length && quads.length < 10_000; at += 8) {
    const eight = numbers.slice(at, at + 8);
    if (eight.every((number) => Number.isFinite(number))) quads.push(corners(boxAround(eight as unknown as Quad)));
  }
  return quads;
}

function corners([left, bottom, right, top]: Box): Quad {
  return [left, bottom, right, bottom, right, top, left, top];
}

/** Returns true if two convex quads share more than an edge: no line along a side of either separates them. */
function overlap(a: Quad, b: Quad): boolean {
  return !isParted(a, b) && !isParted(b, a);
}

function isParted(sides: Quad, other: Quad): boolean {
  for (let i = 0; i < 8; i += 2) {
    const [x, y, u, v] = [sides[i] ?? 0, sides[i + 1] ?? 0, sides[(i + 2) % 8] ?? 0, sides[(i + 3) % 8] ?? 0];
    const length = Math.hypot(u - x, v - y);
    if (length === 0) continue;
    const [nx, ny] = [(v - y) / length, (x - u) / length];
    const [from, to] = reach(sides, nx, ny);
    const [first, last] = reach(other, nx, ny);
    if (to <= first + SLACK || last <= from + SLACK) return true;
  }
  return false;
}

/** Returns the extent of a quad along a direction. */
function reach(quad: Quad, nx: number, ny: number): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < 8; i += 2) {
    const at = (quad[i] ?? 0) * nx + (quad[i + 1] ?? 0) * ny;
    [least, most] = [Math.min(least, at), Math.max(most, at)];
  }
  return [least, most];
}
