import type { Box, Matrix } from '../geometry/index.js';

/** A page, or a part of it, as it lies on a sheet. */
export interface Placement {
  /** Index of the page, 0-based. */
  readonly page: number;
  /** From the page's user space to points of the sheet; /Rotate and /UserUnit of the page are in it (`uprightPage`). */
  readonly matrix: Matrix;
  /**
   * Of a page that lies on several sheets: the part of its user space that belongs to this one, with the annotations
   * and destinations in it. Default: all of it.
   */
  readonly part?: Box;
  /** What of the sheet the page may paint on, in points. Default: all. */
  readonly clip?: Box;
  /**
   * Name of a layer that is made for it and switches it (ISO 32000-1, 8.11); placements of the same name have one
   * layer.
   */
  readonly layer?: string;
}

/** A page to be made of pages. */
export interface Sheet {
  /** Width and height in points, above 0. */
  readonly size: readonly [width: number, height: number];
  readonly placements: readonly Placement[];
  /** Operators that paint over the pages, in points of the sheet: no part of the document's text. */
  readonly decoration?: string;
}

/** The largest side of a page in its own units; larger ones have a larger unit (ISO 32000-1, Annex C, table C.1). */
const LARGEST_SIDE = 14_400;

/** Gives the points of a sheet's unit: 1, or more where its sides would be longer than a page may have. */
export function unitOf([width, height]: Sheet['size']): number {
  return Math.max(1, Math.max(width, height) / LARGEST_SIDE);
}
