import { DocumentError } from '@quire/document';
import type { Matrix } from '@quire/document/content/drawing';

/** Options that both types of tiles share. */
export interface TileSpacing {
  /** Points between tiles. */
  readonly widthSpacer: number;
  readonly heightSpacer: number;
  /** Degrees, counter-clockwise. */
  readonly rotation: number;
}

/** Tiles of a page, from the lower left corner of its media box: all equal, in upright columns and rows. */
export interface TileGrid {
  /** From the tile's space to the position of the first tile, at the lower left (ISO 32000-1, 8.3.4). */
  readonly first: Matrix;
  /** From column to column and from row to row, in points. */
  readonly step: readonly [x: number, y: number];
  readonly columns: number;
  readonly rows: number;
}

/** Further rows and columns are dropped (`docs/interface/security.yml`, add-watermark). */
const MAX_ROWS = 10_000;
/** More tiles on one page are refused: no viewer would show the page in reasonable time. */
const MAX_TILES = 200_000;

/**
 * Text tiles of a page of this size: one more row and column than fit, each rotated about its own origin. Throws
 * INPUT_TOO_COMPLEX.
 */
export function textTiles(
  page: readonly [number, number],
  tile: readonly [number, number],
  spacing: TileSpacing,
): TileGrid {
  const [sin, cos] = turn(spacing.rotation);
  const width = tile[0] + spacing.widthSpacer;
  const height = tile[1] + spacing.heightSpacer;
  const step = [
    width * Math.abs(cos) + height * Math.abs(sin),
    width * Math.abs(sin) + height * Math.abs(cos),
  ] as const;
  return bounded({
    first: [cos, sin, -sin, cos, 0, 0],
    step,
    columns: count(page[0] / step[0] + 1) + 1,
    rows: count(page[1] / step[1] + 1) + 1,
  });
}

/**
 * Image tiles of a page of this size: as many as fit, possibly none, each rotated about its own centre. Throws
 * INPUT_TOO_COMPLEX.
 */
export function imageTiles(
  page: readonly [number, number],
  [width, height]: readonly [number, number],
  spacing: TileSpacing,
): TileGrid {
  const [sin, cos] = turn(spacing.rotation);
  const step = [width + spacing.widthSpacer, height + spacing.heightSpacer] as const;
  return bounded({
    first: [cos, sin, -sin, cos, (width - cos * width + sin * height) / 2, (height - sin * width - cos * height) / 2],
    step,
    columns: count((page[0] + spacing.widthSpacer) / step[0]),
    rows: count((page[1] + spacing.heightSpacer) / step[1]),
  });
}

function bounded(grid: TileGrid): TileGrid {
  if (grid.columns * grid.rows > MAX_TILES)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'watermark tiles on a page', limit: MAX_TILES });
  return grid;
}

function count(value: number): number {
  return value > 0 ? Math.min(MAX_ROWS, Math.trunc(value)) : 0;
}

/** Sine and cosine. */
function turn(degrees: number): [number, number] {
  const radians = ((degrees % 360) * Math.PI) / 180;
  return [Math.sin(radians), Math.cos(radians)];
}
