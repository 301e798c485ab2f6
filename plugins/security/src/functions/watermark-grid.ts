import { DocumentError } from '@quire/document';

/** Reading settings that both kinds of tile share. */
export interface TileSpacing {
  /** Points between tiles. */
  readonly widthSpacer: number;
  readonly heightSpacer: number;
  /** Degrees, counter-clockwise. */
  readonly rotation: number;
}

/** Rows and columns beyond this are left out (`contract/security.yml`, add-watermark). */
const MAX_ROWS = 10_000;
/** Tiles of one page beyond this are refused: no reader would show the page in reasonable time. */
const MAX_TILES = 200_000;

/** A turned and moved tile: the matrix of `cm` (ISO 32000-1, 8.3.4). */
export type TileMatrix = readonly [number, number, number, number, number, number];

/** Matrices of text tiles, from the lower left of a page of this size: one more row and column than fit, each turned about its own origin. */
export function textTiles(page: readonly [number, number], tile: readonly [number, number], spacing: TileSpacing): TileMatrix[] {
  const [sin, cos] = turn(spacing.rotation);
  const width = tile[0] + spacing.widthSpacer;
  const height = tile[1] + spacing.heightSpacer;
  const stepX = width * Math.abs(cos) + height * Math.abs(sin);
  const stepY = width * Math.abs(sin) + height * Math.abs(cos);
  const columns = count(page[0] / stepX + 1) + 1;
  const rows = count(page[1] / stepY + 1) + 1;
  return tiles(columns, rows, (column, row) => [cos, sin, -sin, cos, column * stepX, row * stepY]);
}

/** Matrices of image tiles: as many as the page holds, each turned about its own centre. */
export function imageTiles(page: readonly [number, number], tile: readonly [number, number], spacing: TileSpacing): TileMatrix[] {
  const [sin, cos] = turn(spacing.rotation);
  const [width, height] = tile;
  const stepX = width + spacing.widthSpacer;
  const stepY = height + spacing.heightSpacer;
  const columns = count((page[0] + spacing.widthSpacer) / stepX);
  const rows = count((page[1] + spacing.heightSpacer) / stepY);
  return tiles(columns, rows, (column, row) => {
    const x = column * stepX + width / 2;
    const y = row * stepY + height / 2;
    return [cos, sin, -sin, cos, x - (cos * width - sin * height) / 2, y - (sin * width + cos * height) / 2];
  });
}

function tiles(columns: number, rows: number, at: (column: number, row: number) => TileMatrix): TileMatrix[] {
  if (columns * rows > MAX_TILES) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'watermark tiles on a page', limit: MAX_TILES });
  return Array.from({ length: columns * rows }, (_, i) => at(i % columns, Math.floor(i / columns)));
}

function count(value: number): number {
  return Math.min(MAX_ROWS, Math.max(0, Math.trunc(value)));
}

function turn(degrees: number): [number, number] {
  const radians = ((degrees % 360) * Math.PI) / 180;
  return [Math.sin(radians), Math.cos(radians)];
}
