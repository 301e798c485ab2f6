import type { Pixels } from '@quire/document/images';
import { InputError } from '@quire/registry/errors';
import { emptyMask, type Mask, opened } from './bit-mask.js';
import { markRegions, type Region } from './mark-regions.js';
import { convexHull, isWithin, type Point, smallestRectangle, type TurnedRectangle } from './smallest-rectangle.js';

/** Red, green and blue. */
export type Colour = readonly [number, number, number];

/** Criteria for a photo; sizes in pixels of the image (`docs/interface/misc.yml`, extract-image-scans). */
export interface PhotoRule {
  /** How much a channel may differ from the background's and still be background. */
  readonly tolerance: number;
  /** Minimum area of a photo's upright bounding box. */
  readonly minArea: number;
  /** Minimum area inside a photo's outline. */
  readonly minContourArea: number;
}

export interface FoundPhoto {
  /** The smallest rectangle around it, at any angle. */
  readonly rectangle: TurnedRectangle;
  /** The upright bounding box: left, top, right, bottom. */
  readonly box: readonly [number, number, number, number];
}

/** Maximum number of photos per file: with minimum areas of zero, every speck of dust is a photo. */
export const MAX_PHOTOS = 5000;
/** Regions are best searched on at most this many pixels: scaling a larger scan down also reduces noise. */
export const WORK_PIXELS = 2_500_000;
/** Gaps up to twice this many pixels do not split a photo. */
const GAP = 4;

/**
 * Finds the photos on a scan, in reading order: rows from the top, each from the left. `small` is the scan at any lower
 * resolution, or itself; results are in pixels of a scan `width` pixels wide. Throws INPUT_TOO_COMPLEX.
 */
export function findPhotos(small: Pixels, width: number, background: Colour, rule: PhotoRule): FoundPhoto[] {
  const scale = width / small.width;
  // The size of dust depends on the resolution; in small images, thin lines may be part of a photo.
  const marks = opened(differing(small, background, rule.tolerance), Math.min(small.width, small.height) < 200 ? 0 : 1);
  const large = ({ left, top, right, bottom, area }: Region): boolean =>
    (right - left) * (bottom - top) * scale * scale >= rule.minArea && area * scale * scale >= rule.minContourArea;
  const found = markRegions(marks, Math.max(1, Math.round(GAP / scale))).filter(large);
  if (found.length > MAX_PHOTOS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'photos', limit: MAX_PHOTOS });
  const regions = found.map((region) => ({ ...region, hull: convexHull(region.outline) }));
  return inReadingOrder(outermost(regions).map((region) => photoOf(region, small, scale)));
}

/** Marks the pixels that are not background. */
function differing({ width, height, channels, data }: Pixels, [red, green, blue]: Colour, tolerance: number): Mask {
  const mask = emptyMask(width, height);
  const step = channels === 1 ? 0 : 1;
  const differs = (at: number): boolean =>
    Math.abs(data[at]! - red) > tolerance ||
    Math.abs(data[at + step]! - green) > tolerance ||
    Math.abs(data[at + 2 * step]! - blue) > tolerance;
  // Four channels at once: most pixels have the colour of the one before them.
  const words = channels === 4 && data.byteOffset % 4 === 0 ? wordsOf(data) : undefined;
  let last = words === undefined ? 0 : ~words[0]!;
  let marked = false;
  for (let y = 0, i = 0; y < height; y++) {
    const row = y * mask.stride;
    for (let x = 0; x < width; x++, i++) {
      if (words === undefined) marked = differs(i * channels);
      else if (words[i] !== last) {
        last = words[i]!;
        marked = differs(i * 4);
      }
      if (marked) mask.data[row + (x >>> 5)]! |= 1 << (x & 31);
    }
  }
  return mask;
}

const wordsOf = (data: Uint8Array): Int32Array => new Int32Array(data.buffer, data.byteOffset, data.length >> 2);

type Outlined = Region & { readonly hull: readonly Point[] };

/** A region within another one, for instance in a frame, is part of it. */
function outermost(regions: readonly Outlined[]): Outlined[] {
  const kept: Outlined[] = [];
  for (const region of [...regions].sort((a, b) => b.area - a.area)) {
    const { left, top, right, bottom } = region;
    const corners = [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ];
    if (!kept.some(({ hull }) => corners.every((corner) => isWithin(corner, hull)))) kept.push(region);
  }
  return kept;
}

function photoOf({ left, top, right, bottom, hull }: Outlined, { width, height }: Pixels, scale: number): FoundPhoto {
  // The photo may continue beyond the edge of the scan, so that edge says nothing about its direction.
  const onRim = (a: Point, b: Point): boolean =>
    (a.x === b.x && (a.x === 0 || a.x === width)) || (a.y === b.y && (a.y === 0 || a.y === height));
  const { middle, angle, ...size } = smallestRectangle(hull, (from, to) => !onRim(from, to));
  return {
    rectangle: {
      middle: { x: middle.x * scale, y: middle.y * scale },
      width: size.width * scale,
      height: size.height * scale,
      angle,
    },
    box: [left * scale, top * scale, right * scale, bottom * scale],
  };
}

/** Photos whose centre is beside the topmost one are in its row. */
function inReadingOrder(photos: readonly FoundPhoto[]): FoundPhoto[] {
  const waiting = [...photos].sort((a, b) => a.box[1] - b.box[1]);
  const ordered: FoundPhoto[] = [];
  while (waiting.length > 0) {
    const [, top, , bottom] = waiting[0]!.box;
    const row = waiting.filter(({ rectangle: { middle } }, i) => i === 0 || (middle.y >= top && middle.y < bottom));
    ordered.push(...row.sort((a, b) => a.box[0] - b.box[0]));
    for (const photo of row) waiting.splice(waiting.indexOf(photo), 1);
  }
  return ordered;
}
