import type { Box } from '../layout/model.js';
import type { FoundTable } from './model.js';

/** Of its cells so many at least must hold text, or all of its first row or column: an empty form is a table, squared paper is none. */
const FILLED = 0.25;

/** True for what people would call a table: more than one row and column, or a row or column of several cells, with text in a fair part of them. */
export function isTable({ cells, rows, columns, box }: FoundTable, shapes: readonly Box[]): boolean {
  if (cells.length < 3) return false;
  const filled = cells.filter(({ lines }) => lines.length > 0);
  if (filled.length < 2) return false;
  if (rows === 1 || columns === 1) return filled.length >= 3 && filled.length >= 0.5 * cells.length;
  const named = (side: 'row' | 'column') => cells.filter((cell) => cell[side] === 0).every(({ lines }, i) => lines.length > 0 || i === 0);
  if (filled.length < FILLED * cells.length && !named('row') && !named('column')) return false;
  // A chart: its grid lies under curves and slanted lines.
  return filled.length >= 0.5 * cells.length || drawnOver(box, shapes) < cells.length / 4;
}

function drawnOver(box: Box, shapes: readonly Box[]): number {
  return shapes.filter(({ left, top, right, bottom }) => left >= box.left - 2 && right <= box.right + 2 && top >= box.top - 2 && bottom <= box.bottom + 2).length;
}
