import type { Box } from '../model.js';
import type { Word } from '../page-content.js';

/**
 * A cell, the only one of all places that it spans. Lengths are those of `PageContent`: points of the page as shown, y
 * growing downwards.
 */
export interface FoundCell {
  readonly box: Box;
  /** 0-based place of its upper left corner, as the table is read. */
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
  /** What lies in it: lines from the first to the last, the words of each as they are read. */
  readonly lines: readonly (readonly Word[])[];
}

/** A table of one page. Its cells stand row by row; each place of the grid is taken by exactly one. */
export interface FoundTable {
  readonly box: Box;
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly FoundCell[];
  /** True when lines or filled areas part its cells, false when they only stand in columns. */
  readonly ruled: boolean;
  /** Degrees by which it stands turned on the page, as `Word.angle`: rows and columns are counted as it is read. */
  readonly angle: 0 | 90 | 180 | 270;
  readonly columnWidths: readonly number[];
  readonly rowHeights: readonly number[];
}

/** Gives the box around boxes. */
export function around(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes)
    [left, top, right, bottom] = [
      Math.min(left, box.left),
      Math.min(top, box.top),
      Math.max(right, box.right),
      Math.max(bottom, box.bottom),
    ];
  return { left, top, right, bottom };
}
