import {
  boxAround,
  type ContentColour,
  ContentName,
  inverse,
  numberText,
  operatorText,
  type PaintedPath,
  quadOf,
  stretch,
} from '../../content/index.js';
import { movedRegion, type Region, type RegionIndex } from './areas.js';
import { intersection, type Convex, type Point, widened } from './convex.js';
import { cutContour } from './cut-area.js';
import { cutLine, dashes } from './cut-line.js';
import { outlineOf } from './line-outline.js';
import { flattened, pointsText, readPath, type Subpath, subpathText } from './path-shape.js';

/** In points. Tolerance for converting curves to straight lines. */
const TOLERANCE = 0.01;
/**
 * In points. A line up to this width is cut across. For a wider line its outline is cut, since a cut across it would
 * remove too much beside the area.
 */
const THIN = 1.5;
/** In points. Viewers draw the thinnest lines about one pixel wide. */
const HAIRLINE = 0.5;
const MAX_DASHES = 20_000;
/** In half line widths. Longer miter tips are ignored. */
const MOST_MITER = 12;

/** Provides the operators for the colours of a path. */
export interface Painter {
  /** Returns the operator that sets this opacity for filling. */
  opacity(value: number): string;
  /**
   * Returns operators that draw the tiles of a pattern one by one if some of them change; undefined if the pattern
   * stays, and for any other colour.
   */
  tiles(colour: ContentColour): string | undefined;
}

/** Returns a path without the parts inside the regions, painted as before; undefined if nothing has to be cut. */
export function cutPath(what: PaintedPath, regions: RegionIndex, painter: Painter): string | undefined {
  const {
    state: { ctm, fill, stroke },
    frame,
    operator,
    box,
    reach,
  } = what;
  const near = regions.near([box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach]);
  const [fillTiles, strokeTiles] = [
    what.fills ? painter.tiles(fill) : undefined,
    what.strokes ? painter.tiles(stroke) : undefined,
  ];
  if (near.length === 0 && fillTiles === undefined && strokeTiles === undefined) return undefined;
  const back = inverse(ctm);
  const { subpaths, clip } = readPath(frame.bytes.subarray(what.start, operator.end));
  const clipping = clip === undefined ? '' : `${subpaths.map(subpathText).join('\n')}\n${clip} n`;
  // A path that is flattened to a line shows nothing that could be cut.
  if (back === undefined) return clipping;
  const cutter = new PathCutter(
    what,
    near.map((region) => movedRegion(region, back)),
    painter,
  );
  const filled = what.fills ? cutter.fill(subpaths) : undefined;
  const stroked = what.strokes ? cutter.stroke(subpaths, strokeTiles) : undefined;
  if (filled === undefined && stroked === undefined && fillTiles === undefined) return undefined;
  const whole = subpaths.map(subpathText).join('\n');
  const rule = operator.name.endsWith('*') ? 'f*' : 'f';
  const parts = [
    ...(what.fills && filled !== ''
      ? [
          fillTiles === undefined
            ? `${filled ?? whole}\n${rule}`
            : through(filled ?? whole, rule === 'f' ? 'W' : 'W*', fillTiles),
        ]
      : []),
    ...(what.strokes && stroked !== '' ? [stroked ?? `${whole}\nS`] : []),
    ...(clipping === '' ? [] : [cutClip(what, regions) ?? clipping]),
  ];
  return parts.join('\n');
}

/**
 * Returns a path that only clips, without the parts inside the regions, because letters drawn as paths are often used
 * as clips. Rectangles stay, since they reveal nothing. Returns undefined if nothing has to be cut.
 */
export function cutClip(what: PaintedPath, regions: RegionIndex): string | undefined {
  const near = regions.near(what.box);
  const back = near.length === 0 ? undefined : inverse(what.state.ctm);
  if (back === undefined) return undefined;
  const { subpaths, clip = 'W' } = readPath(what.frame.bytes.subarray(what.start, what.operator.end));
  if (subpaths.every(isUpright)) return undefined;
  const cut = new PathCutter(
    what,
    near.map((region) => movedRegion(region, back)),
  ).fill(subpaths);
  return cut === undefined ? undefined : `${cut === '' ? '0 0 0 0 re' : cut}\n${clip} n`;
}

/** Cuts in the coordinate space of the path. */
class PathCutter {
  readonly #scale: number;
  readonly #half: number;

  constructor(
    private readonly what: PaintedPath,
    private readonly regions: readonly Region[],
    private readonly painter?: Painter,
  ) {
    this.#scale = stretch(what.state.ctm) || 1;
    this.#half = Math.max(what.state.lineWidth / 2, HAIRLINE / 2 / this.#scale);
  }

  /** Returns the remaining area; undefined if all of it remains. */
  fill(subpaths: readonly Subpath[]): string | undefined {
    let isCut = false;
    const parts = subpaths.map((subpath) => {
      const points = this.#points(subpath);
      const pieces = cutContour(points, this.regions);
      if (pieces.length === 1 && pieces[0] === points) return subpathText(subpath);
      isCut = true;
      return pieces.map((piece) => (piece === points ? subpathText(subpath) : pointsText(piece, true))).join('\n');
    });
    return isCut ? parts.filter((part) => part !== '').join('\n') : undefined;
  }

  /** Returns the operators that draw the rest of the line; undefined if all of it remains. */
  stroke(subpaths: readonly Subpath[], tiles?: string): string | undefined {
    const isThin = tiles === undefined && this.what.state.lineWidth * this.#scale <= THIN;
    return isThin ? this.#strokeThin(subpaths) : this.#strokeThick(subpaths, tiles);
  }

  #strokeThin(subpaths: readonly Subpath[]): string | undefined {
    const { dash } = this.what.state;
    const dashed = dash.lengths.length > 0;
    const whole: string[] = [];
    const parts: string[] = [];
    let isCut = false;
    for (const subpath of subpaths) {
      const pieces = cutLine(this.#points(subpath), subpath.closed, this.regions, this.#half, dashed);
      if (pieces === undefined) {
        whole.push(subpathText(subpath));
        continue;
      }
      isCut = true;
      for (const { points, from } of pieces) {
        if (dashed) parts.push(`${dashText(dash.lengths, dash.phase + from)}\n${pointsText(points, false)}\nS`);
        else whole.push(pointsText(points, false));
      }
    }
    if (!isCut) return undefined;
    if (whole.length > 0) parts.unshift(`${whole.join('\n')}\nS`);
    if (dashed && parts.length > 0) parts.push(dashText(dash.lengths, dash.phase));
    return parts.join('\n');
  }

  #strokeThick(subpaths: readonly Subpath[], tiles: string | undefined): string | undefined {
    const { lineCap, lineJoin, miterLimit, dash, stroke, strokeAlpha, fillAlpha } = this.what.state;
    // Includes the tips of miter joins.
    const near = this.#half * Math.max(1.5, lineJoin === 0 ? Math.min(miterLimit, MOST_MITER) : 0);
    const style = { half: this.#half, cap: lineCap, join: lineJoin, miterLimit, tolerance: TOLERANCE / this.#scale };
    const pieces: (readonly Point[])[] = [];
    const whole: string[] = [];
    const isPlain = dash.lengths.length === 0 && strokeAlpha === 1 && tiles === undefined;
    let isCut = false;
    for (const subpath of subpaths) {
      const points = this.#points(subpath);
      const kept = cutLine(points, subpath.closed, this.regions, near, false);
      if (isPlain)
        whole.push(
          ...(kept === undefined ? [subpathText(subpath)] : kept.map((piece) => pointsText(piece.points, false))),
        );
      if (isPlain && kept === undefined) continue;
      const broken =
        dash.lengths.length === 0 ? undefined : dashes(points, subpath.closed, dash.lengths, dash.phase, MAX_DASHES);
      const outlines =
        broken === undefined
          ? outlineOf(points, subpath.closed, style)
          : broken.flatMap((one) => outlineOf(one, false, style));
      for (const outline of isPlain ? this.#around(outlines, near + this.#half) : outlines) {
        const left = cutContour(outline, this.regions);
        isCut ||= left.length !== 1 || left[0] !== outline;
        for (const piece of left) pieces.push(piece);
      }
    }
    if (!isCut && tiles === undefined) return undefined;
    const lines = whole.length === 0 ? [] : [`${whole.join('\n')}\nS`];
    if (pieces.length === 0) return lines.join('\n');
    const shape = pieces.map((piece) => pointsText(piece, true)).join('\n');
    if (tiles !== undefined) return through(shape, 'W', tiles);
    const opacity = strokeAlpha === fillAlpha ? undefined : this.painter?.opacity(strokeAlpha);
    return [
      ...lines,
      `q\n${opacity === undefined ? '' : `${opacity}\n`}${fillColourText(stroke)}\n${shape}\nf\nQ`,
    ].join('\n');
  }

  /**
   * Returns the pieces near the regions: in opaque lines, distant parts are still drawn as lines, over the ends of
   * these.
   */
  #around(outlines: readonly Convex[], by: number): readonly Convex[] {
    return this.regions.flatMap(({ polygon }) => {
      const window = widened(polygon, by);
      return outlines.map((outline) => intersection(outline, window)).filter((piece) => piece.length > 2);
    });
  }

  #points(subpath: Subpath): Point[] {
    return flattened(subpath, TOLERANCE / this.#scale);
  }
}

/**
 * Returns the operators that clip everything except some regions; each region is subtracted separately because they may
 * overlap.
 */
export function clipAround(
  what: { readonly state: PaintedPath['state']; readonly box: PaintedPath['box'] },
  near: readonly Region[],
): string | undefined {
  const back = inverse(what.state.ctm);
  if (back === undefined) return undefined;
  const box = what.box.map((edge, i) =>
    Number.isFinite(edge) ? edge + (i < 2 ? -10 : 10) : i < 2 ? -20_000 : 20_000,
  ) as unknown as PaintedPath['box'];
  const [x0, y0, x1, y1] = boxAround(quadOf(back, box));
  const outer = `${[x0, y0, x1 - x0, y1 - y0].map(numberText).join(' ')} re`;
  return near
    .map((region) => `${outer}\n${pointsText(widened(movedRegion(region, back).polygon, 0), true)}\nW* n`)
    .join('\n');
}

/** Wraps content so that it is clipped by a path. */
function through(shape: string, clip: string, content: string): string {
  return `q\n${shape}\n${clip} n\n${content}\nQ`;
}

function dashText(lengths: readonly number[], phase: number): string {
  return operatorText('d', lengths, phase);
}

/** Returns the operators that set a stroke colour as the fill colour. */
function fillColourText({ space, values, pattern }: ContentColour): string {
  const components = [...values, ...(pattern === undefined ? [] : [new ContentName(pattern)])];
  return [
    operatorText('cs', new ContentName(space)),
    ...(components.length > 0 ? [operatorText('scn', ...components)] : []),
  ].join('\n');
}

/** Returns true for an axis-parallel rectangle, however it is written. */
function isUpright({ start, segments, isRectangle }: Subpath): boolean {
  if (isRectangle) return true;
  if (segments.length < 3 || segments.length > 4 || segments.some((segment) => segment.length !== 2)) return false;
  const points = [start, ...(segments as readonly Point[])];
  const last = points[4];
  if (last !== undefined && (last[0] !== start[0] || last[1] !== start[1])) return false;
  const [a, b, c, d] = points as [Point, Point, Point, Point];
  return (
    (a[0] === b[0] && b[1] === c[1] && c[0] === d[0] && d[1] === a[1]) ||
    (a[1] === b[1] && b[0] === c[0] && c[1] === d[1] && d[0] === a[0])
  );
}
