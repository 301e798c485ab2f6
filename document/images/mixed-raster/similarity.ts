import type { Plane } from './plane.js';

/** Side of the windows in pixels. */
const WINDOW = 12;
/** Constants that keep even windows comparable: (0.01 · 255)² and (0.03 · 255)². */
const [C1, C2] = [6.5025, 58.5225] as const;
/** The share of windows that `worst` describes. */
const WORST_SHARE = 0.01;

/** How alike an image and its original are, 1 for the same. */
export interface Similarity {
  /** Mean over the windows with something to read. */
  readonly mean: number;
  /** What the worst of these windows reach. */
  readonly worst: number;
}

/**
 * Compares a grey image with its original by structural similarity (Z. Wang and others: Image quality assessment, IEEE
 * Transactions on Image Processing 13, 2004), only where the original has something to read: where its standard
 * deviation is at least `contrast`. Both have the same size. Undefined where there is nothing to compare.
 */
export function similarity(original: Plane, image: Plane, contrast: number): Similarity | undefined {
  const found: number[] = [];
  for (let y = 0; y + WINDOW <= original.height; y += WINDOW) {
    for (let x = 0; x + WINDOW <= original.width; x += WINDOW) {
      const value = windowSimilarity(original, image, { x, y, contrast });
      if (value !== undefined) found.push(value);
    }
  }
  if (found.length === 0) return undefined;
  const sorted = Float64Array.from(found).sort();
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    worst: sorted[Math.floor(sorted.length * WORST_SHARE)]!,
  };
}

function windowSimilarity(
  original: Plane,
  image: Plane,
  { x: left, y: top, contrast }: { readonly x: number; readonly y: number; readonly contrast: number },
): number | undefined {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + WINDOW; y++) {
    for (let at = y * original.width + left; at < y * original.width + left + WINDOW; at++) {
      const [first, second] = [original.data[at]!, image.data[at]!];
      a += first;
      b += second;
      aa += first * first;
      bb += second * second;
      ab += first * second;
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [a / count, b / count];
  const varianceA = aa / count - meanA * meanA;
  if (varianceA < contrast ** 2) return undefined;
  const varianceB = bb / count - meanB * meanB;
  const covariance = ab / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  );
}
