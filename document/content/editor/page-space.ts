import type { PDFContext } from 'pdf-lib';
import { inverse, type Matrix } from '../index.js';
import { pageBox, type PageEntry, pageRotation, userUnit } from '../../structure/pages/index.js';

/** Mapping between a page and the coordinates of the editor. */
export interface PageSpace {
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** From default user space to the editor's, and back. */
  readonly shown: Matrix;
  readonly user: Matrix;
}

/** Returns a page's space: points from the lower left corner of its crop box, before rotation. */
export function pageSpace(context: PDFContext, page: PageEntry): PageSpace {
  const [left, bottom, right, top] = pageBox(context, page);
  const unit = userUnit(context, page);
  const shown: Matrix = [unit, 0, 0, unit, -left * unit, -bottom * unit];
  return {
    width: rounded((right - left) * unit),
    height: rounded((top - bottom) * unit),
    rotation: pageRotation(context, page),
    shown,
    user: inverse(shown) ?? shown,
  };
}

/** Rounds a number for export, by default to four decimal places. */
export function rounded(value: number, places = 4): number {
  const factor = 10 ** places;
  const near = Math.round(value * factor) / factor;
  return Number.isFinite(near) ? near + 0 : 0;
}

/** Rounds the numbers of a matrix for export. */
export function roundedMatrix(matrix: Matrix): number[] {
  return matrix.map((value, i) => rounded(value, i < 4 ? 7 : 4));
}
