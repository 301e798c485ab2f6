import type { Box, Matrix } from '../geometry/index.js';

/** A page, or a part of it, on a sheet. */
export interface Placement {
  /** 0-based index of the page. */
  readonly page: number;
  /**
   * From the page's user space to points of the sheet, including the page's /Rotate and /UserUnit (see `uprightPage`).
   */
  readonly matrix: Matrix;
  /**
   * For a page on several sheets: the part of its user space that belongs to this one, with its annotations and
   * destinations. Default: the whole page.
   */
  readonly part?: Box;
  /** The area of the sheet that the page may paint on, in points. Default: the whole sheet. */
  readonly clip?: Box;
  /**
   * Name of a layer that is created for the placement (ISO 32000-1, 8.11); placements with the same name share a layer.
   */
  readonly layer?: string;
}

/** A new page that shows existing pages. */
export interface Sheet {
  /** Width and height in points, greater than 0. */
  readonly size: readonly [width: number, height: number];
  readonly placements: readonly Placement[];
  /** Operators that paint over the pages, in points of the sheet; not part of the document's text. */
  readonly decoration?: string;
}

/** Longest side of a page in units; larger pages need a larger unit (ISO 32000-1, Annex C, table C.1). */
const LARGEST_SIDE = 14_400;

/** Returns the size of a sheet's unit in points: 1, or more if its sides would exceed the limit. */
export function unitOf([width, height]: Sheet['size']): number {
  return Math.max(1, Math.max(width, height) / LARGEST_SIDE);
}
