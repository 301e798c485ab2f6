import { DocumentError } from '../../errors.js';

/** The most pixels of one rendered page. */
export const MAX_PAGE_PIXELS = 50_000_000;
/** The most pixels of all pages of one job together. */
export const MAX_JOB_PIXELS = 2_000_000_000;

/** A size in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Size in points, as a page is displayed. */
export interface PointSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Pixels of a page at a resolution: points x dpi / 72, rounded down, at least 1 (`docs/interface/convert.yml`,
 * pdf/img).
 */
export function pixelSize(page: PointSize, dpi: number): PixelSize {
  // Sizes are 32-bit floats: 595.32 may be stored slightly lower.
  const pixels = (points: number): number => Math.max(1, Math.floor((points * dpi) / 72 + 1e-4));
  return { width: pixels(page.width), height: pixels(page.height) };
}

/**
 * Rejects pages that are too large at this resolution, before any work: IMAGE_TOO_LARGE with the number found and the
 * limit.
 */
export function guardPixels(sizes: readonly PixelSize[]): void {
  let total = 0;
  for (const { width, height } of sizes) {
    const found = width * height;
    if (!(found <= MAX_PAGE_PIXELS)) throw new DocumentError('IMAGE_TOO_LARGE', { found, limit: MAX_PAGE_PIXELS });
    total += found;
  }
  if (total > MAX_JOB_PIXELS) throw new DocumentError('IMAGE_TOO_LARGE', { found: total, limit: MAX_JOB_PIXELS });
}

/** The highest integer resolution, at most `wanted`, at which all pages stay within the limits; at least 1. */
export function fittingDpi(pages: readonly PointSize[], wanted: number): number {
  const areas = pages.map(({ width, height }) => width * height);
  const largest = areas.reduce((most, area) => Math.max(most, area), 1);
  const all = areas.reduce((sum, area) => sum + area, 1);
  const bound = 72 * Math.sqrt(Math.min(MAX_PAGE_PIXELS / largest, MAX_JOB_PIXELS / all));
  return Math.max(1, Math.min(wanted, Math.floor(bound)));
}
