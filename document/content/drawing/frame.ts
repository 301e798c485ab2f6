import type { PDFContext } from 'pdf-lib';
import { applyToBox, type Box, identity, invert, type Matrix } from '../../structure/geometry/matrix.js';
import { upright } from '../../structure/geometry/upright.js';
import { type PageEntry, pageBox, pageRotation, userUnit } from '../../structure/pages/index.js';

export { type Matrix, multiply as after } from '../../structure/geometry/matrix.js';

/** An axis-aligned rectangle in points. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A page as its reader sees it: upright after /Rotate, in points of 1/72 inch whatever /UserUnit says, the origin at
 * the lower left corner of the media box as shown.
 */
export interface PageFrame {
  /** The whole media box; its corner is the origin. */
  readonly media: Area;
  /** The part that is shown: the crop box. */
  readonly shown: Area;
  /** From points of the frame to default user space. */
  readonly matrix: Matrix;
}

export function pageFrame(context: PDFContext, page: PageEntry): PageFrame {
  const media = pageBox(context, page, 'MediaBox');
  const seen = upright(media, pageRotation(context, page), userUnit(context, page)).matrix;
  return {
    media: areaOf(applyToBox(seen, media)),
    shown: areaOf(applyToBox(seen, pageBox(context, page))),
    matrix: invert(seen) ?? identity,
  };
}

function areaOf([left, bottom, right, top]: Box): Area {
  return { left, bottom, width: right - left, height: top - bottom };
}

/** A turn counter-clockwise by degrees about the origin, then a move. */
export function turned(degrees: number, x: number, y: number): Matrix {
  const radians = ((degrees % 360) * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  return [cos, sin, -sin, cos, x, y];
}

/** The upright rectangle around an area that a matrix has moved and turned. */
export function boundsAfter({ left, bottom, width, height }: Area, matrix: Matrix): Area {
  return areaOf(applyToBox(matrix, [left, bottom, left + width, bottom + height]));
}

/** True if the inner area is inside the outer one, allowing for rounding. */
export function isWithin(inner: Area, outer: Area): boolean {
  const slack = 0.01;
  return (
    inner.left >= outer.left - slack &&
    inner.bottom >= outer.bottom - slack &&
    inner.left + inner.width <= outer.left + outer.width + slack &&
    inner.bottom + inner.height <= outer.bottom + outer.height + slack
  );
}
