import type { PDFContext } from 'pdf-lib';
import { type PageEntry, pageBox, pageRotation, userUnit } from '../pages/index.js';

/** A matrix as `cm` and /Matrix take it (ISO 32000-1, 8.3.4). */
export type Matrix = readonly [number, number, number, number, number, number];

/** An axis-aligned rectangle in points. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A page as its reader sees it: upright after /Rotate, in points of 1/72 inch whatever /UserUnit says, the origin at the lower left corner
 * of the media box as shown.
 */
export interface PageFrame {
  /** The whole media box; its corner is the origin. */
  readonly media: Area;
  /** The part that is shown: the crop box. */
  readonly shown: Area;
  /** From points of the frame to default user space. */
  readonly matrix: Matrix;
}

/** Gives a page's frame. */
export function pageFrame(context: PDFContext, page: PageEntry): PageFrame {
  const media = pageBox(context, page, 'MediaBox');
  const crop = pageBox(context, page, 'CropBox');
  const unit = userUnit(context, page);
  const [left, bottom, right, top] = media;
  const k = 1 / unit;
  // The corner of the media box that is shown lower left, and where the axes go from there (ISO 32000-1, table 30: clockwise).
  const matrices: Readonly<Record<number, Matrix>> = {
    0: [k, 0, 0, k, left, bottom],
    90: [0, k, -k, 0, right, bottom],
    180: [-k, 0, 0, -k, right, top],
    270: [0, -k, k, 0, left, top],
  };
  const matrix = matrices[pageRotation(context, page)] ?? matrices[0]!;
  const inFrame = (box: readonly [number, number, number, number]): Area => {
    const [ax, ay] = backwards(matrix, box[0], box[1]);
    const [bx, by] = backwards(matrix, box[2], box[3]);
    return { left: Math.min(ax, bx), bottom: Math.min(ay, by), width: Math.abs(bx - ax), height: Math.abs(by - ay) };
  };
  return { media: inFrame(media), shown: inFrame(crop), matrix };
}

/** One matrix after another: `first` is applied first. */
export function after(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u];
}

/** A turn counter-clockwise by degrees about the origin, then a move. */
export function turned(degrees: number, x: number, y: number): Matrix {
  const radians = ((degrees % 360) * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  return [cos, sin, -sin, cos, x, y];
}

/** The upright rectangle around an area that a matrix has moved and turned. */
export function boundsAfter(area: Area, matrix: Matrix): Area {
  const [a, b, c, d, e, f] = matrix;
  const corners = [0, 1, 2, 3].map((i) => [area.left + (i & 1 ? area.width : 0), area.bottom + (i & 2 ? area.height : 0)] as const);
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  return { left, bottom, width: Math.max(...xs) - left, height: Math.max(...ys) - bottom };
}

/** True when the inner area lies in the outer one, but for rounding. */
export function isWithin(inner: Area, outer: Area): boolean {
  const slack = 0.01;
  return inner.left >= outer.left - slack && inner.bottom >= outer.bottom - slack
    && inner.left + inner.width <= outer.left + outer.width + slack && inner.bottom + inner.height <= outer.bottom + outer.height + slack;
}

function backwards([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  const determinant = a * d - b * c;
  return [(d * (x - e) - c * (y - f)) / determinant, (a * (y - f) - b * (x - e)) / determinant];
}
