import type { Box } from '../model.js';
import type { FilledArea, Ruling } from '../page-content.js';
import { joined, type PageFrame, type Six } from './frame.js';
import type { Scratch } from './scratch.js';
import { fillColour, strokeColour } from './styles.js';

/** A filled rectangle that is no higher or wider than this is a line; so is a longer one up to the second. */
const THIN = 2.5;
const THIN_LONG = 4;
/** So much longer than thick. */
const LONG = 12;
/** Lines of less are dots. */
const SHORTEST = 2;
/** Lines that lean by less (points over their length) are upright. */
const LEAN = 0.5;
/** Points, lines and areas of one page that are looked at. */
const MAX_POINTS = 2_000_000;
const MAX_FOUND = 200_000;
/** Types of path segments. */
const BEZIER = 1;
const MOVE = 2;

/** Collects what the paths of a page draw. */
export class PathReader {
  readonly rulings: Ruling[] = [];
  readonly fills: FilledArea[] = [];
  readonly shapes: Box[] = [];
  #points = 0;

  constructor(readonly scratch: Scratch, readonly frame: PageFrame) {}

  /** Reads a path object; `outer` leads from the space of what holds it to the page as shown. */
  read(object: number, outer: Six): void {
    if (this.rulings.length + this.fills.length + this.shapes.length >= MAX_FOUND) return;
    const { scratch } = this;
    const { pdfium, at } = scratch;
    if (!pdfium.FPDFPath_GetDrawMode(object, at, at + 4)) return;
    const { 0: filled = 0, 1: stroked = 0 } = scratch.words;
    const fill = filled !== 0 ? fillColour(scratch, object) : undefined;
    const stroke = stroked !== 0 ? strokeColour(scratch, object) : undefined;
    if (fill === undefined && stroke === undefined) return;
    const own = pdfium.FPDFPageObj_GetMatrix(object, at) ? ([...scratch.floats.subarray(0, 6)] as unknown as Six) : ([1, 0, 0, 1, 0, 0] as const);
    const matrix = joined(own, outer);
    let width = 0;
    if (stroke !== undefined) {
      width = pdfium.FPDFPageObj_GetStrokeWidth(object, at) ? scratch.floats[0]! : 1;
      width = Math.abs(width) * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
    }
    for (const part of this.#parts(object, matrix)) this.#take(part, fill, stroke, width);
  }

  /** The subpaths, on the page as shown. */
  *#parts(object: number, [a, b, c, d, e, f]: Six): Generator<Part> {
    const { scratch } = this;
    const { wasmExports: raw } = scratch.pdfium.pdfium;
    const count = raw.FPDFPath_CountSegments(object);
    let part: { points: number[]; curved: boolean; closed: boolean } = { points: [], curved: false, closed: false };
    for (let i = 0; i < count && this.#points < MAX_POINTS; i++) {
      const segment = raw.FPDFPath_GetPathSegment(object, i);
      if (segment === 0 || !raw.FPDFPathSegment_GetPoint(segment, scratch.at, scratch.at + 4)) continue;
      this.#points++;
      const [x = 0, y = 0] = scratch.floats;
      const type = raw.FPDFPathSegment_GetType(segment);
      if (type === MOVE && part.points.length > 0) {
        yield part;
        part = { points: [], curved: false, closed: false };
      }
      if (type === BEZIER) part.curved = true;
      part.points.push(a * x + c * y + e, b * x + d * y + f);
      if (raw.FPDFPathSegment_GetClose(segment) !== 0) part.closed = true;
    }
    if (part.points.length > 0) yield part;
  }

  #take({ points, curved, closed }: Part, fill: string | undefined, stroke: string | undefined, width: number): void {
    const whole = around(points);
    if (points.length < 4 || !Number.isFinite(whole.left + whole.right + whole.top + whole.bottom)) return;
    if (curved || !isUpright(points, closed)) {
      this.#add(this.shapes, whole);
      return;
    }
    if (fill !== undefined && points.length >= 6) {
      // An upright outline of more than four sides is taken for its box where it is thin, else for a shape.
      const thick = Math.min(whole.right - whole.left, whole.bottom - whole.top);
      const long = Math.max(whole.right - whole.left, whole.bottom - whole.top);
      if (thick <= THIN || (thick <= THIN_LONG && long > thick * LONG)) this.#line(whole, fill);
      else if (points.length <= 10) this.#area(whole, fill);
      else this.#add(this.shapes, whole);
    }
    if (stroke === undefined) return;
    const last = closed ? points.length : points.length - 2;
    for (let i = 0; i < last; i += 2) {
      const [x1, y1] = [points[i]!, points[i + 1]!];
      const [x2, y2] = [points[(i + 2) % points.length]!, points[(i + 3) % points.length]!];
      this.#side(x1, y1, x2, y2, stroke, width);
    }
  }

  #side(x1: number, y1: number, x2: number, y2: number, colour: string, thickness: number): void {
    const level = Math.abs(x2 - x1) >= Math.abs(y2 - y1);
    const half = thickness / 2;
    const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
    const box = level ? { left: Math.min(x1, x2), right: Math.max(x1, x2), top: y - half, bottom: y + half } : { left: x - half, right: x + half, top: Math.min(y1, y2), bottom: Math.max(y1, y2) };
    this.#line(box, colour);
  }

  #line(box: Box, colour: string): void {
    const seen = this.frame.seen(box);
    if (seen === undefined || this.rulings.length >= MAX_FOUND) return;
    const [width, height] = [seen.right - seen.left, seen.bottom - seen.top];
    if (Math.max(width, height) < SHORTEST) return;
    if (width >= height) this.rulings.push({ direction: 'horizontal', at: (seen.top + seen.bottom) / 2, from: seen.left, to: seen.right, thickness: height, colour });
    else this.rulings.push({ direction: 'vertical', at: (seen.left + seen.right) / 2, from: seen.top, to: seen.bottom, thickness: width, colour });
  }

  #area(box: Box, colour: string): void {
    const seen = this.frame.seen(box);
    if (seen !== undefined && this.fills.length < MAX_FOUND) this.fills.push({ box: seen, colour });
  }

  #add(list: Box[], box: Box): void {
    const seen = this.frame.seen(box);
    if (seen !== undefined) list.push(seen);
  }
}

interface Part {
  /** x and y by turns. */
  readonly points: readonly number[];
  readonly curved: boolean;
  readonly closed: boolean;
}

function around(points: readonly number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { left, top, right, bottom };
}

/** True for a path of horizontal and vertical sides only. */
function isUpright(points: readonly number[], closed: boolean): boolean {
  const last = closed ? points.length : points.length - 2;
  for (let i = 0; i < last; i += 2) {
    const [dx, dy] = [points[(i + 2) % points.length]! - points[i]!, points[(i + 3) % points.length]! - points[i + 1]!];
    if (Math.min(Math.abs(dx), Math.abs(dy)) > LEAN) return false;
  }
  return true;
}

