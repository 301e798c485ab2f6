import { DocumentError } from '@quire/document';
import {
  applyToBox,
  type Box,
  fitting,
  invert,
  multiply,
  type UprightPage,
  uprightPage,
} from '@quire/document/structure/geometry';
import { type ImposeOptions, imposeSheets, type Sheet } from '@quire/document/structure/imposition';
import type { OpenedPdf } from '@quire/document/file/open';

export interface PosterGrid {
  readonly columns: number;
  readonly rows: number;
  /** Orders the sheets of a row from right to left. */
  readonly rightToLeft: boolean;
  /** Paper size, upright, in points. */
  readonly sheet: readonly [width: number, height: number];
}

/** More sheets per document are refused: no viewer opens them in reasonable time. */
const MAX_SHEETS = 100_000;

/**
 * Tiles every page over several sheets (`docs/interface/general.yml`, split-for-poster-print), in place. Throws the
 * errors of `imposeSheets`; INPUT_TOO_COMPLEX for too many sheets.
 */
export async function tilePoster(opened: OpenedPdf, grid: PosterGrid, options: ImposeOptions = {}): Promise<void> {
  if (opened.pages.length * grid.columns * grid.rows > MAX_SHEETS)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'poster sheets', limit: MAX_SHEETS });
  await imposeSheets(
    opened,
    opened.pages.flatMap((page, index) => posterSheets(uprightPage(opened.document.context, page), index, grid)),
    options,
  );
}

/**
 * Returns the sheets of one page, rows from top to bottom: each shows its cell as large as it fits, centred. If the
 * paper has another aspect ratio than the cell, content next to the cell is visible too, so that sheets can overlap
 * when they are glued.
 */
export function posterSheets(
  page: UprightPage,
  index: number,
  { columns, rows, rightToLeft, sheet }: PosterGrid,
): Sheet[] {
  const [width, height] = [page.width / columns, page.height / rows];
  const back = invert(page.matrix);
  return Array.from({ length: columns * rows }, (_unused, number): Sheet => {
    const row = Math.floor(number / columns);
    const column = rightToLeft ? columns - 1 - (number % columns) : number % columns;
    const cell: Box = [
      column * width,
      page.height - (row + 1) * height,
      (column + 1) * width,
      page.height - row * height,
    ];
    const matrix = multiply(page.matrix, fitting(cell, [0, 0, sheet[0], sheet[1]]));
    return {
      size: sheet,
      placements: [{ page: index, matrix, ...(back === undefined ? {} : { part: applyToBox(back, cell) }) }],
    };
  });
}
