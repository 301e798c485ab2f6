import type { Box } from '../layout/model.js';
import type { Word } from '../layout/page-content.js';

/** A cell, the only one of all places that it spans. Lengths of tables are those of `PageContent`: points of the page as shown, y downwards. */
export interface FoundCell {
  readonly box: Box;
  /** 0-based place of its upper left corner. */
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
  /** True when lines are drawn around its cells, false when they only stand in columns. */
  readonly ruled: boolean;
  /** Where its columns begin and where the last one ends, one more than `columns`; rows alike. */
  readonly columnEdges: readonly number[];
  readonly rowEdges: readonly number[];
}
