/** Strength of compression: 1 to 3 only recompress streams, from 4 on images are scaled and recompressed. */
export type CompressLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Scale and JPEG quality of images by level (docs/interface/misc.yml, compress-pdf). */
const SCALE: Record<CompressLevel, number> = {
  1: 0.98,
  2: 0.95,
  3: 0.88,
  4: 0.78,
  5: 0.68,
  6: 0.58,
  7: 0.48,
  8: 0.38,
  9: 0.28,
};
const QUALITY: Record<CompressLevel, number> = { 1: 92, 2: 88, 3: 85, 4: 80, 5: 72, 6: 65, 7: 55, 8: 45, 9: 35 };
/** In pixels. Images this small stay unchanged, and no side is scaled below it. */
const MIN_SIDE = 400;
const LARGE_SIDE = 3000;
const SMALL_SIDE = 1000;
/** A smaller change than this is not worth the loss. */
const MIN_CHANGE = 0.05;

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** True when this level changes images. */
export function scalesImages(level: CompressLevel): boolean {
  return level >= 4;
}

/** True when this level recompresses lossless images with loss even where their size stays. */
export function recodesImages(level: CompressLevel): boolean {
  return level >= 6;
}

/** JPEG quality (1 to 100) of a level. */
export function jpegQuality(level: CompressLevel): number {
  return QUALITY[level];
}

/** Size in pixels of an image at this level; undefined when it should stay unchanged. */
export function scaledSize(width: number, height: number, level: CompressLevel): Size | undefined {
  const short = Math.min(width, height);
  const long = Math.max(width, height);
  if (short <= MIN_SIDE || !scalesImages(level)) return undefined;
  let scale = SCALE[level];
  if (long > LARGE_SIDE) scale = Math.min(scale, 0.75);
  if (long < SMALL_SIDE) scale = Math.max(scale, 0.9);
  scale = Math.max(scale, MIN_SIDE / short);
  if (1 - scale < MIN_CHANGE) return undefined;
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** The first level to try for a target size, by the ratio of target to input. */
export function startLevel(ratio: number): CompressLevel {
  const steps: readonly (readonly [number, CompressLevel])[] = [
    [0.9, 1],
    [0.8, 2],
    [0.7, 3],
    [0.6, 4],
    [0.3, 5],
    [0.2, 6],
    [0.15, 7],
    [0.1, 8],
  ];
  return steps.find(([above]) => ratio > above)?.[1] ?? 9;
}

/** The next level to try for a result that is still too large; undefined after 9. */
export function nextLevel(level: CompressLevel, size: number, target: number): CompressLevel | undefined {
  if (level === 9) return undefined;
  const step = size > target * 2 ? 3 : size > target * 1.5 ? 2 : 1;
  return Math.min(9, level + step) as CompressLevel;
}
