import type { Area } from './frame.js';

/** Margins as a part of the page's size (`docs/interface/misc.yml`, customMargin). */
const margins = { small: 0.02, medium: 0.035, large: 0.05, 'x-large': 0.075 } as const;
/** Names of the margins. */
export const marginNames = Object.keys(margins) as (keyof typeof margins)[];

/** The factor of a margin's name in any case; an unknown name is medium. */
export function marginFactor(name: string): number {
  return margins[marginNames.find((one) => one === name.trim().toLowerCase()) ?? 'medium'];
}

/**
 * Left, centre and right; top, middle and bottom: a place of the grid 1 to 9, numbered from the top left in reading
 * direction.
 */
export interface GridPlace {
  readonly column: 'left' | 'centre' | 'right';
  readonly row: 'top' | 'middle' | 'bottom';
}

/** The place of a position code 1 to 9; codes outside are cut to the range. */
export function gridPlace(position: number): GridPlace {
  const index = Math.min(9, Math.max(1, Math.trunc(position))) - 1;
  return {
    column: (['left', 'centre', 'right'] as const)[index % 3]!,
    row: (['top', 'middle', 'bottom'] as const)[Math.floor(index / 3)]!,
  };
}

/**
 * Where the lower left corner of a block goes, so that it stands at a place of an area, margins kept at the sides it
 * touches.
 */
export function cornerAt(
  { column, row }: GridPlace,
  area: Area,
  block: { readonly width: number; readonly height: number },
  margin: { readonly x: number; readonly y: number },
): { x: number; y: number } {
  const spareX = area.width - block.width;
  const spareY = area.height - block.height;
  return {
    x: area.left + { left: margin.x, centre: spareX / 2, right: spareX - margin.x }[column],
    y: area.bottom + { bottom: margin.y, middle: spareY / 2, top: spareY - margin.y }[row],
  };
}

/**
 * Moves a block into an area along each axis, as little as needed; what does not fit stands at the left or at the
 * bottom.
 */
export function movedInto(block: Area, area: Area): { dx: number; dy: number } {
  const along = (start: number, size: number, from: number, room: number): number =>
    Math.max(from, Math.min(start, from + room - size)) - start;
  return {
    dx: along(block.left, block.width, area.left, area.width),
    dy: along(block.bottom, block.height, area.bottom, area.height),
  };
}
