import type { Box } from '../model.js';
import type { PageContent, Word } from '../page-content.js';
import type { FoundTable } from './model.js';
import type { WordIndex } from './word-index.js';

/** The page content that counts for ruled tables. */
export type DrawnContent = Pick<PageContent, 'width' | 'height' | 'words' | 'rulings' | 'fills' | 'shapes'>;

/**
 * Smallest share of cells with text, or all of its first row or column: an empty form is a table, squared paper is not.
 */
const FILLED = 0.3;
/** Of the words at most so many may reach out of their cells, each by more than this part of itself. */
const CROSSING = 0.2;
const REACH = 0.25;
/** Text that goes on this near beyond a side, in parts of its size, is not text of a table. */
const GOES_ON = 0.5;

/**
 * True for what people would call a table: several rows and columns, or a row that is left of one, with text in a fair
 * part of the cells and within them. What covers the page to its edges is its background, and where text crosses the
 * lines these belong to a drawing.
 */
export function isTable(table: FoundTable, content: DrawnContent, words: WordIndex): boolean {
  const { cells, rows, columns, box } = table;
  const filled = cells.filter(({ lines }) => lines.length > 0);
  if (
    rows === 1 || columns === 1
      ? Math.max(rows, columns) < 3 || table.rows > 1 || filled.length < 0.6 * cells.length
      : filled.length < 3
  )
    return false;
  if (edgesOf(box, content) >= 3) return false;
  const named = (side: 'row' | 'column'): boolean =>
    cells.filter((cell) => cell[side] === 0).every(({ lines }, i) => lines.length > 0 || i === 0);
  if (filled.length < FILLED * cells.length && !named('row') && !named('column')) return false;
  // A chart: its grid is under curves and slanted lines.
  if (filled.length < 0.5 * cells.length && drawnOver(box, content.shapes) >= cells.length / 4) return false;
  const held = filled.flatMap((cell) => cell.lines.flat().map((word) => ({ word, cell })));
  if (held.filter(({ word, cell }) => reachesOut(word.box, cell.box)).length > CROSSING * held.length) return false;
  return linesGoingOn(box, words) < Math.max(2, rows / 2);
}

/** How many sides of the page it reaches. */
function edgesOf({ left, top, right, bottom }: Box, { width, height }: DrawnContent): number {
  return [left < 2, top < 2, right > width - 2, bottom > height - 2].filter(Boolean).length;
}

function drawnOver(box: Box, shapes: readonly Box[]): number {
  return shapes.filter(
    ({ left, top, right, bottom }) =>
      left >= box.left - 2 && right <= box.right + 2 && top >= box.top - 2 && bottom <= box.bottom + 2,
  ).length;
}

function reachesOut(word: Box, cell: Box): boolean {
  const out = (low: number, high: number, from: number, to: number): boolean =>
    Math.max(0, from - low) + Math.max(0, high - to) > REACH * (high - low);
  return out(word.left, word.right, cell.left, cell.right) || out(word.top, word.bottom, cell.top, cell.bottom);
}

/** Lines of text that run over the left or right side. */
function linesGoingOn({ left, top, right, bottom }: Box, words: WordIndex): number {
  const beside = (from: number, to: number): readonly Word[] =>
    words.within({ left: from, right: to, top, bottom }).map(({ word }) => word);
  const near = (gap: number, { style }: Word): boolean => gap < GOES_ON * style.size;
  return (
    beside(left - 60, left).filter((word) => near(left - word.box.right, word)).length +
    beside(right, right + 60).filter((word) => near(word.box.left - right, word)).length
  );
}
