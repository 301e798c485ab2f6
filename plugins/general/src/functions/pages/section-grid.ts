import type { Box, Point } from '@quire/document/structure/geometry';

/** Which pages are cut (`docs/interface/general.yml`, split-pdf-by-sections). */
export type SplitMode =
  | 'CUSTOM'
  | 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST'
  | 'SPLIT_ALL_EXCEPT_FIRST'
  | 'SPLIT_ALL_EXCEPT_LAST'
  | 'SPLIT_ALL';

/** Columns and rows of a cut page. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the 0-based indexes of the pages that a mode cuts; `chosen` are those of the mode CUSTOM. */
export function cutPageIndexes(
  mode: SplitMode,
  pageCount: number,
  chosen: () => Iterable<number>,
): ReadonlySet<number> {
  if (mode === 'CUSTOM') return new Set(chosen());
  const first = mode === 'SPLIT_ALL_EXCEPT_FIRST' || mode === 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST' ? 1 : 0;
  const end = pageCount - (mode === 'SPLIT_ALL_EXCEPT_LAST' || mode === 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST' ? 1 : 0);
  return new Set(Array.from({ length: Math.max(0, end - first) }, (_unused, i) => first + i));
}

/** Returns the page count of the result when `cut` of the pages are cut. */
export function sectionCount(pageCount: number, cut: number, { columns, rows }: Grid): number {
  return pageCount - cut + cut * columns * rows;
}

/** Returns the sections of a page of this size as boxes: column by column from the left, each from top to bottom. */
export function sectionBoxes(width: number, height: number, { columns, rows }: Grid): Box[] {
  const [w, h] = [width / columns, height / rows];
  return Array.from({ length: columns * rows }, (_unused, i): Box => {
    const [column, row] = [Math.floor(i / rows), i % rows];
    return [column * w, height - (row + 1) * h, (column + 1) * w, height - row * h];
  });
}

/**
 * Returns the 0-based section that contains a point of the page; beyond the edges the nearest one, on a cut the one
 * below or to the right.
 */
export function sectionAt(width: number, height: number, { columns, rows }: Grid, [x, y]: Point): number {
  const within = (share: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(share * count + 1e-6)));
  return within(x / width, columns) * rows + within((height - y) / height, rows);
}
