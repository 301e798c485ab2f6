import { DocumentError } from '@quire/document';
import type { OpenedPdf } from '@quire/document/file/open';
import {
  type PicturePagesOptions,
  type PixelSize,
  type PointSize,
  guardPixels,
  picturePages,
  pixelSize,
} from '@quire/document/engines/rendering';
import { type RandomSource, type ScanLook, scanPage } from './scan-look.js';

/** Parameters with the names of `docs/interface/misc.yml`, scanner-effect. */
export interface ScannerParams {
  quality: 'low' | 'medium' | 'high';
  rotation: 'none' | 'slight' | 'moderate' | 'severe';
  colorspace: 'grayscale' | 'color';
  border: number;
  rotate: number;
  rotateVariance: number;
  brightness: number;
  contrast: number;
  blur: number;
  noise: number;
  yellowish: boolean;
  resolution: number;
  advancedEnabled: boolean;
}

export interface ScannerOptions extends Pick<PicturePagesOptions, 'store' | 'signal' | 'progress'> {
  readonly maxDpi: number;
  readonly random: RandomSource;
}

const angles = { none: 0, slight: 2, moderate: 5, severe: 8 } as const;
const presets = {
  high: { blur: 0.1, noise: 1, brightness: 1.03, contrast: 1.06, resolution: 150 },
  medium: { blur: 0.1, noise: 1, brightness: 1.06, contrast: 1.12, resolution: 100 },
  low: { blur: 0.9, noise: 2.5, brightness: 1.08, contrast: 1.15, resolution: 75 },
} as const;
const jpegQualities = { high: 85, medium: 78, low: 65 } as const;
const MIN_DPI = 72;
const MAX_SIDE = 8192;
const MAX_PIXELS = 16_777_216;

/**
 * Converts every page to an image that looks scanned, in place; page sizes stay. Throws INPUT_INVALID for a requested
 * resolution above `maxDpi`, IMAGE_TOO_LARGE for a page that is too large at 72 dpi, and the errors of `picturePages`.
 */
export async function scanPages(
  opened: OpenedPdf,
  params: ScannerParams,
  { maxDpi, random, ...options }: ScannerOptions,
): Promise<void> {
  const dpi = resolutionOf(params, maxDpi);
  const look = lookOf(params);
  await picturePages(opened, {
    ...options,
    sizes: (pages) => pages.map((page) => scanSize(page, dpi)),
    paint: (drawn) => scanPage(drawn, look, random),
  });
}

/** Returns the look for the parameters: custom with `advancedEnabled`, otherwise by quality. */
export function lookOf(params: Readonly<ScannerParams>): ScanLook {
  const { blur, noise, brightness, contrast } = params.advancedEnabled ? params : presets[params.quality];
  return {
    grey: params.colorspace === 'grayscale',
    angle: angles[params.rotation] + params.rotate,
    variance: params.rotateVariance,
    border: params.border,
    brightness,
    contrast,
    blur,
    noise,
    yellowish: params.yellowish,
    jpegQuality: jpegQualities[params.quality],
  };
}

/** Returns the size of a scanned page in pixels: at this resolution, or lower for a large page, but at least 72 dpi. */
export function scanSize(page: PointSize, dpi: number): PixelSize {
  const most = Math.min(
    dpi,
    (MIN_DPI * MAX_SIDE) / Math.max(page.width, page.height, 1),
    MIN_DPI * Math.sqrt(MAX_PIXELS / Math.max(1, page.width * page.height)),
  );
  const size = pixelSize(page, Math.max(MIN_DPI, most));
  guardPixels([size]);
  return size;
}

function resolutionOf({ advancedEnabled, quality, resolution }: Readonly<ScannerParams>, maxDpi: number): number {
  if (!advancedEnabled) return Math.min(presets[quality].resolution, Math.max(MIN_DPI, maxDpi));
  if (resolution <= maxDpi) return resolution;
  const detail = `"resolution" is ${resolution}; this server allows at most ${maxDpi}`;
  throw new DocumentError('INPUT_INVALID', { detail }, [{ pointer: '/resolution', detail }]);
}
