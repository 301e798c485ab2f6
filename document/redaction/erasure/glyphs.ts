import { type Box, boxAround, glyphQuad, type PaintedText, type Quad, stretch } from '../../content/index.js';
import type { PageRegions, RegionIndex } from './areas.js';
import { convexOf, containsPoint, overlaps, type Point } from './convex.js';

/**
 * How far an area may extend into a glyph's box before the glyph counts as touched: a share of its height or width,
 * limited to `MOST` points.
 */
const HAIR = 0.08;
const MOST = 0.7;
/**
 * In thousandths of the font size: `FLAT` is the least credible height of a font and `NARROW` the least credible width
 * of a glyph; `WIDE` replaces smaller widths.
 */
const FLAT = 400;
const NARROW = 20;
const WIDE = 500;

/** Returns the bounding box of the glyphs of a run; undefined if they must be checked one by one. */
export function runBox(what: PaintedText): Box | undefined {
  const { glyphs, font } = what;
  const [first, last] = [glyphs[0], glyphs.at(-1)];
  if (first === undefined || last === undefined || font.vertical) return undefined;
  let widest = first;
  let at = -Infinity;
  for (const glyph of glyphs) {
    if (glyph.width < 0 || glyph.at < at) return undefined;
    at = glyph.at;
    if (glyph.width > widest.width) widest = glyph;
  }
  // All glyphs are between the first and the last, except those that are wider than their advance.
  return boxAround([
    ...glyphQuad(what, first).slice(0, 2),
    ...glyphQuad(what, { ...last, width: widest.width }).slice(2, 6),
    ...glyphQuad(what, first).slice(6),
  ] as unknown as Quad);
}

/** Returns the glyphs of a run that are inside the regions of a page. */
export function glyphsIn(what: PaintedText, { text, matches }: PageRegions): ReadonlySet<number> {
  const gone = new Set<number>();
  if (mayTouch(what, matches)) {
    for (const [index, glyph] of what.glyphs.entries()) {
      const quad = glyphQuad(what, glyph);
      const centre = middle(quad);
      if (matches.near(boxAround(quad)).some(({ polygon }) => containsPoint(polygon, centre))) gone.add(index);
    }
  }
  const sturdy = { ...what, font: { ...heightsOf(what), vertical: what.font.vertical } as PaintedText['font'] };
  if (mayTouch(sturdy, text)) {
    for (const [index, glyph] of what.glyphs.entries()) {
      const quad = glyphQuad(sturdy, Math.abs(glyph.width) < NARROW ? { ...glyph, width: WIDE } : glyph);
      const inner = convexOf(trimmed(quad));
      const points = inner.length > 0 ? inner : [middle(quad)];
      if (text.near(boxAround(quad)).some(({ polygon }) => overlaps(polygon, points))) gone.add(index);
    }
  }
  return gone;
}

/** Returns false if no region can contain a glyph of the run. */
function mayTouch(what: PaintedText, index: RegionIndex): boolean {
  if (index.regions.length === 0) return false;
  const run = runBox(what);
  if (run === undefined) return true;
  const reach = what.glyphs.some(({ width }) => Math.abs(width) < NARROW)
    ? (WIDE / 1000) * Math.abs(what.state.text.size) * stretch(what.matrix)
    : 0;
  return index.near([run[0] - reach, run[1] - reach, run[2] + reach, run[3] + reach]).length > 0;
}

/**
 * Returns the font's ascent and descent, or typical values for a font that claims to be almost flat: metrics may be
 * wrong, or even forged.
 */
function heightsOf({ font: { ascent, descent, em } }: PaintedText): {
  readonly ascent: number;
  readonly descent: number;
} {
  return ascent - descent < FLAT * Math.abs(em) ? { ascent: 750 * em, descent: -250 * em } : { ascent, descent };
}

function middle([x0, y0, , , x2, y2]: Quad): Point {
  return [(x0 + x2) / 2, (y0 + y2) / 2];
}

/** Returns a glyph's quad reduced by the tolerance on each side. */
function trimmed([x0, y0, x1, y1, x2, y2, x3, y3]: Quad): Quad {
  const [width, height] = [Math.hypot(x1 - x0, y1 - y0), Math.hypot(x3 - x0, y3 - y0)];
  const across = width === 0 ? 0 : Math.min(HAIR, MOST / width);
  const up = height === 0 ? 0 : Math.min(HAIR, MOST / height);
  const [ux, uy, vx, vy] = [(x1 - x0) * across, (y1 - y0) * across, (x3 - x0) * up, (y3 - y0) * up];
  return [
    x0 + ux + vx,
    y0 + uy + vy,
    x1 - ux + vx,
    y1 - uy + vy,
    x2 - ux - vx,
    y2 - uy - vy,
    x3 + ux - vx,
    y3 + uy - vy,
  ];
}
