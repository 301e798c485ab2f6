import type { PDFContext } from 'pdf-lib';
import { type PageEntry, pageBox, pageRotation, userUnit } from '../pages/index.js';
import type { Box, Matrix } from './matrix.js';

/** A page as displayed: maps its user space to an upright rectangle [0 0 width height] in points. */
export interface UprightPage {
  readonly matrix: Matrix;
  readonly width: number;
  readonly height: number;
  /** The visible part of user space. */
  readonly box: Box;
}

/**
 * Describes how a page is displayed through one of its boxes: the crop box moved to the origin, with /Rotate and
 * /UserUnit applied (ISO 32000-1, table 30).
 */
export function uprightPage(
  context: PDFContext,
  page: PageEntry,
  key: 'MediaBox' | 'CropBox' = 'CropBox',
): UprightPage {
  const box = pageBox(context, page, key);
  return { box, ...upright(box, pageRotation(context, page), userUnit(context, page)) };
}

/** Does the same for a box with a clockwise rotation by a multiple of 90 degrees and a unit in points. */
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
