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
  /** Its content: lines in order, the words of each in reading order. */
  readonly lines: readonly (readonly Word[])[];
}

/** A table of one page. Its cells are in row order; each position of the grid belongs to exactly one. */
export interface FoundTable {
  readonly box: Box;
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly FoundCell[];
  /** True if lines or filled areas separate its cells, false if they are only aligned. */
  readonly ruled: boolean;
  /** Degrees by which it stands turned on the page, as `Word.angle`: rows and columns are counted as it is read. */
  readonly angle: 0 | 90 | 180 | 270;
  readonly columnWidths: readonly number[];
  readonly rowHeights: readonly number[];
}

/** Returns the bounding box of boxes. */
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
