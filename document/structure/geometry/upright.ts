import type { PDFContext } from 'pdf-lib';
import { type PageEntry, pageBox, pageRotation, userUnit } from '../pages/index.js';
import type { Box, Matrix } from './matrix.js';

/** A page as it is seen: how its user space comes to lie on [0 0 width height], in points, upright. */
export interface UprightPage {
  readonly matrix: Matrix;
  readonly width: number;
  readonly height: number;
  /** What of user space is seen. */
  readonly box: Box;
}

/**
 * Gives how a page is seen through one of its boxes: the crop box moved to the origin, /Rotate and /UserUnit applied
 * (ISO 32000-1, table 30).
 */
export function uprightPage(
  context: PDFContext,
  page: PageEntry,
  key: 'MediaBox' | 'CropBox' = 'CropBox',
): UprightPage {
  const box = pageBox(context, page, key);
  return { box, ...upright(box, pageRotation(context, page), userUnit(context, page)) };
}

/** The same for a box that is turned clockwise by a multiple of 90 degrees and whose unit has so many points. */
export function upright(
  [left, bottom, right, top]: Box,
  rotation: number,
  unit = 1,
): { readonly matrix: Matrix; readonly width: number; readonly height: number } {
  const width = (right - left) * unit;
  const height = (top - bottom) * unit;
  const u = unit;
  switch (rotation) {
    case 90:
      return { matrix: [0, -u, u, 0, -bottom * u, right * u], width: height, height: width };
    case 180:
      return { matrix: [-u, 0, 0, -u, right * u, top * u], width, height };
    case 270:
      return { matrix: [0, u, -u, 0, top * u, -left * u], width: height, height: width };
    default:
      return { matrix: [u, 0, 0, u, -left * u, -bottom * u], width, height };
  }
}
