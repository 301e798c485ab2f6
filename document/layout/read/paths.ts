import type { Box } from '../model.js';
import type { FilledArea, Ruling } from '../page-content.js';
import { boxThrough, joined, type PageFrame, type Six } from './frame.js';
import { type Shape, shapeOf } from './path-shapes.js';
import type { Scratch } from './scratch.js';
import { fillColour, strokeColour } from './styles.js';

/** A filled shape at most this thick, in points, and so many times as long, is a line. */
const THICK = 4;
const LONG = 2;
/** A filled shape at most this wide and high may be a dot of a dotted line. */
const DOT = 2.5;
/** Assumed width of a line with width 0: the thinnest a device can draw. */
const THINNEST = 0.25;
/** White counts over one of so many of the coloured areas painted last. */
const GROUNDS = 256;
/** A colour all of whose parts are at least this is white to the eye. */
const WHITE = 250;
/** Points, lines and areas of one page that are looked at. */
const MAX_POINTS = 2_000_000;
const MAX_FOUND = 200_000;
/** Paths that an object is clipped with; further ones, and those of more points, are not looked at. */
const MAX_CLIPS = 8;
const MAX_CLIP_POINTS = 64;
/** Types of path segments. */
const BEZIER = 1;
const MOVE = 2;
const NOWHERE: Box = { left: 0, top: 0, right: -1, bottom: -1 };

/**
 * Collects what the paths of a page draw. What nobody can see (white on white, transparent, clipped away) does not
 * count.
 */
export class PathReader {
  /** Strokes and thin filled shapes; dashes that are drawn one by one are lines of their own. */
  readonly rulings: Ruling[] = [];
  /** Upright rectangles that are filled and not thin. */
  readonly fills: FilledArea[] = [];
  /** Boxes of all else. */
  readonly shapes: Box[] = [];
  readonly #grounds: Box[] = [];
  #points = 0;

  constructor(
    readonly scratch: Scratch,
    readonly frame: PageFrame,
  ) {}

  /** Reads a path object; `outer` maps the space of its container to the page as shown. */
  read(object: number, outer: Six): void {
    if (this.rulings.length + this.fills.length + this.shapes.length >= MAX_FOUND) return;
    const { scratch } = this;
    const { pdfium, at } = scratch;
    if (!pdfium.FPDFPath_GetDrawMode(object, at, at + 4)) return;
    const { 0: filled = 0, 1: stroked = 0 } = scratch.words;
    const fill = filled !== 0 ? fillColour(scratch, object) : undefined;
    const stroke = stroked !== 0 ? strokeColour(scratch, object) : undefined;
    if (fill === undefined && stroke === undefined) return;
    const clip = this.#clip(object, outer);
    if (clip === undefined) return;
    const own = pdfium.FPDFPageObj_GetMatrix(object, at)
      ? ([...scratch.floats.subarray(0, 6)] as unknown as Six)
      : ([1, 0, 0, 1, 0, 0] as const);
    const matrix = joined(own, outer);
    const width =
      stroke !== undefined && pdfium.FPDFPageObj_GetStrokeWidth(object, at) ? Math.abs(scratch.floats[0]!) : 1;
    const thickness = Math.max(THINNEST, width * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])));
    for (const shape of this.#shapes(object, matrix, fill !== undefined)) {
      const { left, top, right, bottom } = shape.box;
      if (!Number.isFinite(left + top + right + bottom)) continue;
      if (fill !== undefined) this.#fill(shape, clip, fill);
      if (stroke === undefined) continue;
      for (const side of shape.sides) this.#line({ ...side, thickness, colour: stroke }, clip);
      if (fill === undefined && (shape.curved || shape.slanted) && !isWhite(stroke))
        add(this.shapes, cut(shape.box, clip));
    }
  }

  /** The subpaths, on the page as shown. */
  *#shapes(object: number, [a, b, c, d, e, f]: Six, filled: boolean): Generator<Shape> {
    const { scratch } = this;
    const { wasmExports: raw } = scratch.pdfium.pdfium;
    const count = raw.FPDFPath_CountSegments(object);
    let points: number[] = [];
    let closed = filled;
    let control = 0;
    for (let i = 0; i < count && this.#points < MAX_POINTS; i++) {
      const segment = raw.FPDFPath_GetPathSegment(object, i);
      if (segment === 0 || !raw.FPDFPathSegment_GetPoint(segment, scratch.at, scratch.at + 4)) continue;
      this.#points++;
      const [x = 0, y = 0] = scratch.floats;
      const type = raw.FPDFPathSegment_GetType(segment);
      if (type === MOVE) {
        if (points.length >= 4) yield shapeOf(points, closed);
        [points, closed, control] = [[], filled, 0];
      }
      // Only the last of a curve's three points is on it.
      if (type === BEZIER && control++ % 3 !== 2) continue;
      if (type === BEZIER) points.push(NaN, NaN);
      points.push(a * x + c * y + e, b * x + d * y + f);
      if (raw.FPDFPathSegment_GetClose(segment) !== 0) closed = true;
    }
    if (points.length >= 4) yield shapeOf(points, closed);
  }

  /** Visible part of an object: the box of its clip on the page; undefined if nothing is visible. */
  #clip(object: number, outer: Six): Box | undefined {
    const { scratch, frame } = this;
    const { wasmExports: raw } = scratch.pdfium.pdfium;
    let seen: Box | undefined = { left: 0, top: 0, right: frame.width, bottom: frame.height };
    const path = raw.FPDFPageObj_GetClipPath(object);
    const paths = path === 0 ? 0 : raw.FPDFClipPath_CountPaths(path);
    for (let p = 0; p < Math.min(paths, MAX_CLIPS) && seen !== undefined; p++) {
      const count = raw.FPDFClipPath_CountPathSegments(path, p);
      if (count > MAX_CLIP_POINTS) continue;
      let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < count; i++) {
        const segment = raw.FPDFClipPath_GetPathSegment(path, p, i);
        if (segment === 0 || !raw.FPDFPathSegment_GetPoint(segment, scratch.at, scratch.at + 4)) continue;
        const [x = 0, y = 0] = scratch.floats;
        [left, bottom, right, top] = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)];
      }
      seen = cut(seen, left <= right ? boxThrough(outer, left, bottom, right, top) : NOWHERE);
    }
    return seen;
  }

  #fill({ box, curved, slanted }: Shape, clip: Box, colour: string): void {
    const { left, top, right, bottom } = box;
    const [width, height] = [right - left, bottom - top];
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    const level = {
      direction: 'horizontal',
      at: (top + bottom) / 2,
      from: left,
      to: right,
      thickness: height,
      colour,
    } as const;
    const upright = {
      direction: 'vertical',
      at: (left + right) / 2,
      from: top,
      to: bottom,
      thickness: width,
      colour,
    } as const;
    if (long <= DOT) {
      this.#line(level, clip);
      this.#line(upright, clip);
    } else if (short <= THICK && long >= short * LONG && (!curved || long > 2 * THICK))
      this.#line(width >= height ? level : upright, clip);
    else if (!curved && !slanted) this.#area(box, clip, colour);
    else if (!isWhite(colour)) add(this.shapes, cut(box, clip));
  }

  #area(box: Box, clip: Box, colour: string): void {
    const seen = cut(box, clip);
    if (
      seen === undefined ||
      (isWhite(colour) && !this.#overGround((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2))
    )
      return;
    this.fills.push({ box: seen, colour });
    if (isWhite(colour)) return;
    if (this.#grounds.length === GROUNDS) this.#grounds.shift();
    this.#grounds.push(seen);
  }

  #line(line: Ruling, clip: Box): void {
    const { at, thickness, direction, colour } = line;
    const level = direction === 'horizontal';
    const [low, high, near, far] = level
      ? [clip.top, clip.bottom, clip.left, clip.right]
      : [clip.left, clip.right, clip.top, clip.bottom];
    // Half of a line along the edge of the clip is seen.
    if (at < low - thickness / 2 - 0.01 || at > high + thickness / 2 + 0.01) return;
    const [from, to] = [Math.max(line.from, near), Math.min(line.to, far)];
    const middle = (from + to) / 2;
    if (!(from < to) || (isWhite(colour) && !this.#overGround(level ? middle : at, level ? at : middle))) return;
    this.rulings.push({ direction, at, from, to, thickness, colour });
  }

  #overGround(x: number, y: number): boolean {
    return this.#grounds.some(
      ({ left, top, right, bottom }) => x > left - 1 && x < right + 1 && y > top - 1 && y < bottom + 1,
    );
  }
}

function isWhite(colour: string): boolean {
  return [1, 3, 5].every((at) => Number.parseInt(colour.slice(at, at + 2), 16) >= WHITE);
}

function cut(box: Box, by: Box): Box | undefined {
  const [left, top, right, bottom] = [
    Math.max(box.left, by.left),
    Math.max(box.top, by.top),
    Math.min(box.right, by.right),
    Math.min(box.bottom, by.bottom),
  ];
  return left <= right && top <= bottom ? { left, top, right, bottom } : undefined;
}

function add(list: Box[], box: Box | undefined): void {
  if (box !== undefined) list.push(box);
}
