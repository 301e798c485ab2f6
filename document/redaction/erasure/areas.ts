import { applyTo, type Box, type Matrix, type Quad } from '../../content/index.js';
import { boxOfPoints, type Convex, convexOf, containsAll, hullOf, type Point } from './convex.js';

export type ContentKind = 'text' | 'images' | 'vectors';

/** An area of a page from which content is removed. */
export interface RedactArea {
  /** Convex quadrilateral in the page's default user space; its corners may be in any order. */
  readonly quad: Quad;
  /**
   * Areas for text, if they differ from the quad: a glyph is removed if its centre is inside one of these. Without
   * them, every glyph is removed that the quad overlaps by more than a small tolerance.
   */
  readonly text?: readonly Quad[];
  /** Types of content to remove; all by default. */
  readonly kinds?: readonly ContentKind[];
  /** Colour of repainted pixels, DeviceRGB 0 to 1; black by default. */
  readonly colour?: readonly [number, number, number];
}

/** One polygon of an area, with its bounding box. */
export interface Region {
  readonly polygon: Convex;
  readonly box: Box;
  readonly colour: readonly [number, number, number];
}

const BLACK = [0, 0, 0] as const;
const HAIR = 0.01;
const CELLS = 32;
/** Up to this number, regions are checked one by one. */
const FEW = 8;

/** Spatial index of the regions of a page, so that a lookup does not have to check thousands of them. */
export class RegionIndex {
  readonly regions: readonly Region[];
  readonly box: Box;
  readonly #cells: Region[][] | undefined;

  constructor(regions: Iterable<Region>) {
    this.regions = distinct([...regions].filter(({ polygon }) => polygon.length >= 3));
    this.box = boxOfPoints(
      this.regions.flatMap(
        ({ box: [left, bottom, right, top] }) =>
          [
            [left, bottom],
            [right, top],
          ] as const,
      ),
    );
    if (this.regions.length <= FEW) return;
    this.#cells = Array.from({ length: CELLS * CELLS }, () => []);
    for (const region of this.regions) for (const cell of this.#cellsOf(region.box)) this.#cells[cell]!.push(region);
  }

  /** Returns the regions whose bounding boxes intersect a box, each once. */
  near(box: Box): readonly Region[] {
    if (!meet(this.box, box)) return [];
    if (this.#cells === undefined) return this.regions.filter((region) => meet(region.box, box));
    const found = new Set<Region>();
    for (const cell of this.#cellsOf(box))
      for (const region of this.#cells[cell]!) if (meet(region.box, box)) found.add(region);
    return [...found];
  }

  *#cellsOf(box: Box): Generator<number> {
    const [left, bottom, right, top] = this.box;
    const place = (value: number, low: number, high: number): number =>
      Math.min(CELLS - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * CELLS)));
    const [x0, x1] = [place(box[0], left, right), place(box[2], left, right)];
    const [y0, y1] = [place(box[1], bottom, top), place(box[3], bottom, top)];
    for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) yield y * CELLS + x;
  }
}

/** Regions of one page, by the type of content to remove. */
export interface PageRegions {
  /** A glyph is removed if one of these touches it. */
  readonly text: RegionIndex;
  /** A glyph is removed if its centre is inside one of these. */
  readonly matches: RegionIndex;
  readonly images: RegionIndex;
  readonly vectors: RegionIndex;
  /** Regions from which everything is removed, clipping paths included. */
  readonly whole: RegionIndex;
}

/** Sorts the areas of a page by the type of content. */
export function regionsOf(areas: readonly RedactArea[]): PageRegions {
  const has = ({ kinds }: RedactArea, kind: ContentKind): boolean => kinds === undefined || kinds.includes(kind);
  const quads = (chosen: readonly RedactArea[]): RegionIndex =>
    new RegionIndex(chosen.map(({ quad, colour }) => regionOf(convexOf(quad), colour)));
  const [text, images, vectors] = (['text', 'images', 'vectors'] as const).map((kind) =>
    areas.filter((area) => has(area, kind)),
  ) as [RedactArea[], RedactArea[], RedactArea[]];
  return {
    text: quads(text.filter((area) => area.text === undefined)),
    matches: new RegionIndex(
      text.flatMap(({ text: own = [], colour }) => own.map((quad) => regionOf(hullOf(roundabout(quad)), colour))),
    ),
    images: quads(images),
    vectors: quads(vectors),
    whole: quads(images.filter((area) => has(area, 'vectors'))),
  };
}

/**
 * Returns the corners, slightly moved apart, so that the box of a glyph without width or height contains its centre
 * too.
 */
function roundabout(quad: Quad): Point[] {
  return [0, 2, 4, 6].flatMap((i) =>
    [
      [-HAIR, -HAIR],
      [HAIR, -HAIR],
      [HAIR, HAIR],
      [-HAIR, HAIR],
    ].map(([x = 0, y = 0]) => [quad[i]! + x, quad[i + 1]! + y] as const),
  );
}

/** Transforms a region to another space. */
export function movedRegion({ polygon, colour }: Region, matrix: Matrix): Region {
  return regionOf(hullOf(polygon.map(([x, y]) => applyTo(matrix, x, y))), colour);
}

function regionOf(polygon: Convex, colour: Region['colour'] = BLACK): Region {
  return { polygon, box: boxOfPoints(polygon), colour };
}

/** Removes regions that are inside another one: a line of text is often given glyph by glyph and again as a whole. */
function distinct(regions: readonly Region[]): Region[] {
  const seen = new Set<string>();
  const once = regions.filter(({ polygon }) => {
    const key = polygon.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(' ');
    return !seen.has(key) && seen.add(key);
  });
  // Only the few largest regions are likely to contain others.
  const largest = [...once].sort((a, b) => extent(b.box) - extent(a.box)).slice(0, 64);
  return once.filter(
    (one) =>
      !largest.some(
        (other) =>
          other !== one &&
          meet(other.box, one.box) &&
          extent(other.box) > extent(one.box) &&
          containsAll(other.polygon, one.polygon as readonly Point[]),
      ),
  );
}

function extent([left, bottom, right, top]: Box): number {
  return (right - left) * (top - bottom);
}

function meet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}
