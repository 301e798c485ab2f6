/** Which sides of the booklet's sheets to produce. */
export type DuplexPass = 'BOTH' | 'FIRST' | 'SECOND';

/** One side of a sheet: 0-based pages of its left and right half, undefined for a blank one. */
export type BookletSide = readonly [left: number | undefined, right: number | undefined];

export interface BookletOrder {
  readonly pass: DuplexPass;
  /** The booklet is bound at its right edge: the halves of each side swap places. */
  readonly spineRight: boolean;
  /** The printer turns sheets over their short edge: the halves of back sides swap places. */
  readonly flipBacks: boolean;
}

/** Returns the number of sides for a page count: pages are rounded up to whole sheets of four. */
export function bookletSides(pageCount: number, pass: DuplexPass): number {
  return Math.ceil(pageCount / 4) * (pass === 'BOTH' ? 2 : 1);
}

/**
 * Returns the sides of a saddle-stitched booklet, sheet by sheet from the outermost (`docs/interface/general.yml`,
 * booklet-imposition): with N pages, rounded up to a multiple of four, sheet s has N-2s and 2s+1 on its front, 2s+2 and
 * N-2s-1 on its back.
 */
export function bookletOrder(pageCount: number, { pass, spineRight, flipBacks }: BookletOrder): BookletSide[] {
  const sheets = Math.ceil(pageCount / 4);
  const all = sheets * 4;
  const page = (number: number): number | undefined => (number <= pageCount ? number - 1 : undefined);
  const side = (left: number, right: number, swapped: boolean): BookletSide =>
    swapped ? [page(right), page(left)] : [page(left), page(right)];
  return Array.from({ length: sheets }, (_unused, s) => [
    ...(pass === 'SECOND' ? [] : [side(all - 2 * s, 2 * s + 1, spineRight)]),
    ...(pass === 'FIRST' ? [] : [side(2 * s + 2, all - 2 * s - 1, spineRight !== flipBacks)]),
  ]).flat();
}
