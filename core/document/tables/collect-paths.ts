import type { PDFContext } from 'pdf-lib';
import { type Box as UserBox, type ContentVisitor, intersect, isEmpty, type Matrix, multiply, numberAt, type PaintedPath, type Painting, type Quad, stretch } from '../content/index.js';
import type { Box } from '../layout/model.js';
import type { FilledArea, Ruling } from '../layout/page-content.js';
import { type Shape, shapeOf } from './path-shapes.js';
import { isWhite, seenColour } from './seen-colour.js';

/** Lines and areas that are kept of one page; a page of more is a drawing. */
const MAX_PIECES = 300_000;
/** A filled shape at most this thick, in points, and so many times as long, is a line. */
const THICK = 4;
const LONG = 2;
/** A filled shape at most this wide and high may be a dot of a dotted line. */
const DOT = 2.5;
/** White lines count over one of so many of the coloured areas painted last. */
const GROUNDS = 256;
/** How thick a line of width 0 is taken for: as thin as the device can draw it. */
const THINNEST = 0.25;

/**
 * Sees the paths of one page as it is shown (`PageContent`: points, y downwards): lines, filled rectangles and other shapes. Its methods are those of a
 * `ContentVisitor`, so that others may look at the page in the same walk. What nobody can see (white on white, transparent, clipped away) does not count.
 */
export class PathCollector implements Required<Pick<ContentVisitor, 'operator' | 'path' | 'image' | 'inlineImage'>> {
  /** Strokes, thin filled shapes and thin pictures; dashes that are drawn one by one are lines of their own. */
  readonly rulings: Ruling[] = [];
  /** Upright rectangles that are filled and not thin. */
  readonly fills: FilledArea[] = [];
  /** Boxes of all else. */
  readonly shapes: Box[] = [];
  readonly #grounds: Box[] = [];
  #points: number[] = [];
  #path: Shape[] = [];

  /** `upright` leads from default user space to the page as shown with y growing upwards (`uprightPage`); `height` is that of the page shown. */
  constructor(private readonly context: PDFContext, private readonly upright: Matrix, private readonly height: number) {}

  /** True when the page had more than is kept. */
  get overflown(): boolean {
    return this.rulings.length + this.fills.length + this.shapes.length >= MAX_PIECES;
  }

  readonly operator = ({ operator: { name, operands }, state: { ctm } }: Painting): void => {
    switch (name) {
      case 'm':
        this.#end(false);
        this.#point(ctm, numberAt(operands, 0), numberAt(operands, 1));
        return;
      case 'l': this.#point(ctm, numberAt(operands, 0), numberAt(operands, 1)); return;
      case 'c': this.#curve(ctm, numberAt(operands, 4), numberAt(operands, 5)); return;
      case 'v': case 'y': this.#curve(ctm, numberAt(operands, 2), numberAt(operands, 3)); return;
      case 'h': this.#end(true); return;
      case 're': {
        this.#end(false);
        const [x, y, width, height] = [numberAt(operands, 0), numberAt(operands, 1), numberAt(operands, 2), numberAt(operands, 3)];
        for (const [px, py] of [[x, y], [x + width, y], [x + width, y + height], [x, y + height]] as const) this.#point(ctm, px, py);
        this.#end(true);
        return;
      }
      case 'n': this.#forget(); return;
      default:
    }
  };

  readonly path = (painted: PaintedPath): void => {
    // `s`, `b` and every fill close what is open (ISO 32000-1, 8.5.3).
    this.#end(painted.fills || painted.operator.name === 's');
    const path = this.#path;
    this.#forget();
    const { state } = painted;
    const clip = this.#shown(state.clip);
    const fill = painted.fills && state.fillAlpha > 0 ? seenColour(this.context, painted, state.fill) : undefined;
    const stroke = painted.strokes && state.strokeAlpha > 0 ? seenColour(this.context, painted, state.stroke) : undefined;
    if (clip === undefined || this.overflown || (fill === undefined && stroke === undefined)) return;
    const thickness = Math.max(THINNEST, state.lineWidth * stretch(multiply(state.ctm, this.upright)));
    for (const shape of path) {
      if (fill !== undefined) this.#fill(shape, clip, fill);
      if (stroke === undefined) continue;
      for (const side of shape.sides) this.#line({ ...side, thickness, colour: stroke }, clip);
      if (fill === undefined && (shape.curved || shape.slanted) && !isWhite(stroke)) this.#shape(shape.box, clip);
    }
  };

  readonly image = ({ quad, state }: { readonly quad: Quad } & Painting): void => {
    const clip = this.#shown(state.clip);
    if (clip === undefined || this.overflown || state.fillAlpha === 0) return;
    const shape = shapeOf([0, 2, 4, 6].flatMap((at) => this.#place(quad[at]!, quad[at + 1]!)), true);
    if (isLine(shape)) this.#fill(shape, clip, '#000000');
  };

  readonly inlineImage = this.image;

  #fill(shape: Shape, clip: Box, colour: string): void {
    const { box, curved, slanted } = shape;
    const { left, top, right, bottom } = box;
    const [width, height] = [right - left, bottom - top];
    const level = { direction: 'horizontal', at: (top + bottom) / 2, from: left, to: right, thickness: height, colour } as const;
    const upright = { direction: 'vertical', at: (left + right) / 2, from: top, to: bottom, thickness: width, colour } as const;
    if (isLine(shape)) this.#line(width >= height ? level : upright, clip);
    else if (width <= DOT && height <= DOT) {
      this.#line(level, clip);
      this.#line(upright, clip);
    } else if (curved || slanted) {
      if (!isWhite(colour)) this.#shape(box, clip);
    } else this.#area(box, clip, colour);
  }

  #area(box: Box, clip: Box, colour: string): void {
    const seen = cut(box, clip);
    if (seen === undefined || (isWhite(colour) && !this.#overGround((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2))) return;
    this.fills.push({ box: seen, colour });
    if (isWhite(colour)) return;
    if (this.#grounds.length === GROUNDS) this.#grounds.shift();
    this.#grounds.push(seen);
  }

  #shape(box: Box, clip: Box): void {
    const seen = cut(box, clip);
    if (seen !== undefined) this.shapes.push(seen);
  }

  #line(line: Ruling, clip: Box): void {
    const { at, thickness, direction } = line;
    const [low, high, near, far] = direction === 'horizontal' ? [clip.top, clip.bottom, clip.left, clip.right] : [clip.left, clip.right, clip.top, clip.bottom];
    // Half of a line along the edge of the clip is seen.
    if (at < low - thickness / 2 - 0.01 || at > high + thickness / 2 + 0.01) return;
    const [from, to] = [Math.max(line.from, near), Math.min(line.to, far)];
    const middle = (from + to) / 2;
    if (!(from < to) || (isWhite(line.colour) && !this.#overGround(direction === 'horizontal' ? middle : at, direction === 'horizontal' ? at : middle))) return;
    this.rulings.push({ ...line, from, to });
  }

  #overGround(x: number, y: number): boolean {
    return this.#grounds.some(({ left, top, right, bottom }) => x > left - 1 && x < right + 1 && y > top - 1 && y < bottom + 1);
  }

  #point(ctm: Matrix, x: number, y: number): void {
    const [a, b, c, d, e, f] = ctm;
    this.#points.push(...this.#place(a * x + c * y + e, b * x + d * y + f));
  }

  #curve(ctm: Matrix, x: number, y: number): void {
    this.#points.push(NaN, NaN);
    this.#point(ctm, x, y);
  }

  /** From default user space to the page as shown. */
  #place(x: number, y: number): readonly [number, number] {
    const [a, b, c, d, e, f] = this.upright;
    return [a * x + c * y + e, this.height - (b * x + d * y + f)];
  }

  /** A clip as it is shown; undefined where it leaves nothing. */
  #shown(clip: UserBox): Box | undefined {
    const [left, bottom, right, top] = intersect(clip, [-1e7, -1e7, 1e7, 1e7]);
    if (isEmpty([left, bottom, right, top])) return undefined;
    const [x1, y1] = this.#place(left, bottom);
    const [x2, y2] = this.#place(right, top);
    return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
  }

  #end(closed: boolean): void {
    if (this.#points.length >= 4) this.#path.push(shapeOf(this.#points, closed));
    this.#points = [];
  }

  #forget(): void {
    this.#points = [];
    this.#path = [];
  }
}

function isLine({ box: { left, top, right, bottom }, curved }: Shape): boolean {
  const short = Math.min(right - left, bottom - top);
  const long = Math.max(right - left, bottom - top);
  return short <= THICK && long > DOT && long >= short * LONG && (!curved || long > 2 * THICK);
}

function cut(box: Box, clip: Box): Box | undefined {
  const [left, top, right, bottom] = [Math.max(box.left, clip.left), Math.max(box.top, clip.top), Math.min(box.right, clip.right), Math.min(box.bottom, clip.bottom)];
  return left < right && top < bottom ? { left, top, right, bottom } : undefined;
}
