/** Names of the page sizes that can be compared with (docs/interface/filter.yml, filter-page-size). */
export const standardSizes = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'LETTER', 'LEGAL'] as const;
/** The name of a page size. */
export type StandardSize = (typeof standardSizes)[number];

const MM = 72 / 25.4;
/** Width and height in millimetres (ISO 216) and points (ANSI). */
const points: Record<StandardSize, readonly [number, number]> = {
  A0: [841 * MM, 1189 * MM],
  A1: [594 * MM, 841 * MM],
  A2: [420 * MM, 594 * MM],
  A3: [297 * MM, 420 * MM],
  A4: [210 * MM, 297 * MM],
  A5: [148 * MM, 210 * MM],
  A6: [105 * MM, 148 * MM],
  LETTER: [612, 792],
  LEGAL: [612, 1008],
};

/**
 * Two areas are equal within this part of the standard's: writers round A4 to 595x842 or 595.28x841.89, half a point a
 * side, while no two standard areas are nearer to each other than three percent.
 */
const TOLERANCE = 0.004;

/** Returns the area of a standard size in square points, and the tolerance. */
export function standardArea(size: StandardSize): { readonly area: number; readonly tolerance: number } {
  const [width, height] = points[size];
  return { area: width * height, tolerance: width * height * TOLERANCE };
}
