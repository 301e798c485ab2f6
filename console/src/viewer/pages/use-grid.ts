import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSize } from './use-size.ts';

/** The cells of a grid that are in view, and where they are, in CSS pixels. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Height of all rows together. */
  readonly height: number;
  /** First and last cell in view, and a row more at either end. */
  readonly from: number;
  readonly to: number;
  place(index: number): { readonly start: number; readonly top: number };
  /** The cell nearest to a point, measured from the start edge; and whether the point is past its middle. */
  nearest(start: number, top: number): { readonly index: number; readonly after: boolean };
}

interface Cell {
  /** The smallest width; cells grow to fill the row. */
  readonly width: number;
  /** Height below and above the square-ish picture, and of the picture as a share of the width. */
  readonly extra: number;
  readonly share: number;
  readonly gap: number;
}

/** A grid of equal cells in a scrolling box. */
export function useGrid(box: RefObject<HTMLElement | null>, count: number, cell: Cell): Grid {
  const view = useSize(box);
  const [scroll, setScroll] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let frame = 0;
    const scrolled = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setScroll(element.scrollTop));
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', scrolled);
    };
  }, []);
  const { gap } = cell;
  const inner = Math.max(0, view.width - gap);
  const columns = Math.max(1, Math.floor(inner / (cell.width + gap)));
  const cellWidth = Math.max(0, Math.floor(inner / columns) - gap);
  const cellHeight = Math.round(Math.min(cellWidth, cell.width * 1.6) * cell.share + cell.extra);
  const rowHeight = cellHeight + gap;
  const rows = Math.ceil(count / columns);
  const fromRow = Math.max(0, Math.floor(scroll / rowHeight) - 1);
  const toRow = Math.min(rows - 1, Math.floor((scroll + view.height) / rowHeight) + 1);
  return {
    columns,
    rows,
    cellWidth,
    cellHeight,
    height: rows * rowHeight + gap,
    from: view.width === 0 ? 0 : fromRow * columns,
    to: view.width === 0 ? -1 : Math.min(count - 1, (toRow + 1) * columns - 1),
    place: (index) => ({
      start: gap + (index % columns) * (cellWidth + gap),
      top: gap + Math.floor(index / columns) * rowHeight,
    }),
    nearest: (start, top) => {
      const row = Math.max(0, Math.min(rows - 1, Math.floor((top - gap / 2) / rowHeight)));
      const column = Math.max(0, Math.min(columns - 1, Math.floor((start - gap / 2) / (cellWidth + gap))));
      const index = Math.min(count - 1, row * columns + column);
      const middle = gap + (index % columns) * (cellWidth + gap) + cellWidth / 2;
      return { index, after: start > middle || row * columns + column > count - 1 };
    },
  };
}

/** Scrolls a cell into the view of its box. */
export function showCell(box: HTMLElement | null, grid: Grid, index: number): void {
  if (box === null) return;
  const { top } = grid.place(index);
  if (top < box.scrollTop) box.scrollTop = top - 8;
  else if (top + grid.cellHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + grid.cellHeight - box.clientHeight + 8;
}
