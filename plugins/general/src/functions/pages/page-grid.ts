import { paperSizes } from '@quire/document/structure/paper';

/** Parameters of multi-page-layout. Lengths are points. */
export interface LayoutParams {
  readonly mode: 'DEFAULT' | 'CUSTOM';
  readonly pagesPerSheet: number;
  readonly rows: number;
  readonly cols: number;
  readonly arrangement: 'BY_ROWS' | 'BY_COLUMNS';
  readonly readingDirection: 'LTR' | 'RTL';
  readonly orientation: 'PORTRAIT' | 'LANDSCAPE';
  readonly innerMargin: number;
  readonly topMargin: number;
  readonly bottomMargin: number;
  readonly leftMargin: number;
  readonly rightMargin: number;
}

/** The cells of a sheet: their number, and the size of each including its inner margin. */
export interface PageGrid {
  readonly columns: number;
  readonly rows: number;
  readonly sheet: readonly [width: number, height: number];
  readonly cell: readonly [width: number, height: number];
}

/** Maximum number of cells along a side of a sheet (`docs/interface/general.yml`, multi-page-layout). */
export const MAX_CELLS_PER_SIDE = 300;

/** True for page counts that fill a sheet evenly: 2, or a square number. */
export function fillsSheet(pagesPerSheet: number): boolean {
  const side = Math.round(Math.sqrt(pagesPerSheet));
  return pagesPerSheet === 2 || (side * side === pagesPerSheet && side >= 1 && side <= MAX_CELLS_PER_SIDE);
}

/** Returns the cells for the parameters: two side by side, a square, or the given rows and columns, on A4. */
export function gridOf(params: LayoutParams): PageGrid {
  const side = params.pagesPerSheet === 2 ? undefined : Math.round(Math.sqrt(params.pagesPerSheet));
  const [columns, rows] = params.mode === 'CUSTOM' ? [params.cols, params.rows] : [side ?? 2, side ?? 1];
  const [short, long] = paperSizes.A4;
  const sheet = params.orientation === 'LANDSCAPE' ? ([long, short] as const) : ([short, long] as const);
  const cell = [
    (sheet[0] - params.leftMargin - params.rightMargin) / columns,
    (sheet[1] - params.topMargin - params.bottomMargin) / rows,
  ] as const;
  return { columns, rows, sheet, cell };
}

/** Returns the margin that leaves no space for pages, or undefined if all fit. */
export function marginWithoutRoom(params: LayoutParams): keyof LayoutParams | undefined {
  const { cell } = gridOf(params);
  if (cell[0] <= 0) return params.leftMargin >= params.rightMargin ? 'leftMargin' : 'rightMargin';
  if (cell[1] <= 0) return params.topMargin >= params.bottomMargin ? 'topMargin' : 'bottomMargin';
  return Math.min(...cell) - 2 * params.innerMargin > 0 ? undefined : 'innerMargin';
}

/** Returns the column and row, from the top left, of the n-th page on its sheet. */
export function cellOf(
  { columns, rows }: PageGrid,
  { arrangement, readingDirection }: Pick<LayoutParams, 'arrangement' | 'readingDirection'>,
  place: number,
): readonly [column: number, row: number] {
  const [column, row] =
    arrangement === 'BY_COLUMNS'
      ? [Math.floor(place / rows), place % rows]
      : [place % columns, Math.floor(place / columns)];
  return [readingDirection === 'RTL' ? columns - 1 - column : column, row];
}
