import type { PagePart, PixelSize } from '@quire/document/engines/rendering';
import type { Pixels } from '@quire/document/images';
import type { Colour, FoundPhoto } from './find-photos.js';
import { type RgbPixels, trimmedBox } from './trim-edges.js';

export interface CutRule {
  /** Skew in degrees from which a photo is straightened. */
  readonly angleThreshold: number;
  /** See `PhotoRule`. */
  readonly tolerance: number;
  /** Pixels to trim from each side. */
  readonly borderSize: number;
}

/** A part of a scan, in its pixels. */
export interface ScanPart extends Pixels {
  readonly left: number;
  readonly top: number;
  /** Size of the whole scan. */
  readonly scan: PixelSize;
}

/** Pixels around a photo that straightening may read. */
const MARGIN = 2;

/** Skew in degrees below which a photo counts as straight. */
const STRAIGHT_DEGREES = 0.5;

/**
 * Cuts a photo out of a scan, of which it needs the part that `partFor` returns, straightened if it is skewed, without
 * strips of background and shadow at its edges; undefined if nothing is left.
 */
export function cutPhoto(
  scan: ScanPart,
  { rectangle, box }: FoundPhoto,
  background: Colour,
  { angleThreshold, tolerance, borderSize }: CutRule,
): RgbPixels | undefined {
  const askew = Math.abs(rectangle.angle) >= angleThreshold && rectangle.angle !== 0;
  const cut = askew ? turned(scan, rectangle, background) : upright(scan, box);
  // A photo that stays skewed has background at its corners; trimming that would cut off the corners.
  const level = askew || Math.abs(rectangle.angle) < STRAIGHT_DEGREES;
  const { left, top, right, bottom } = level
    ? trimmedBox(cut, background, tolerance)
    : { left: 0, top: 0, right: cut.width, bottom: cut.height };
  const [width, height] = [right - left - 2 * borderSize, bottom - top - 2 * borderSize];
  return width < 1 || height < 1 ? undefined : copied(cut, left + borderSize, top + borderSize, width, height);
}

/** The part of a scan of this size that a photo is cut from. */
export function partFor({ rectangle: { middle, ...turned }, box }: FoundPhoto, scan: PixelSize): PagePart {
  const radians = (turned.angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(radians)), Math.abs(Math.sin(radians))];
  const across = (turned.width * cos + turned.height * sin) / 2 + MARGIN;
  const down = (turned.width * sin + turned.height * cos) / 2 + MARGIN;
  const [left, top] = [Math.min(box[0], middle.x - across), Math.min(box[1], middle.y - down)];
  const [right, bottom] = [Math.max(box[2], middle.x + across), Math.max(box[3], middle.y + down)];
  const [x, y] = [within(Math.floor(left), scan.width - 1), within(Math.floor(top), scan.height - 1)];
  return {
    left: x,
    top: y,
    width: within(Math.ceil(right), scan.width) - x || 1,
    height: within(Math.ceil(bottom), scan.height) - y || 1,
  };
}

const within = (value: number, most: number): number => Math.min(most, Math.max(0, value));

function upright(part: ScanPart, [left, top, right, bottom]: FoundPhoto['box']): RgbPixels {
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  return copied(
    part,
    x - part.left,
    y - part.top,
    Math.max(1, Math.min(part.scan.width, Math.ceil(right)) - x),
    Math.max(1, Math.min(part.scan.height, Math.ceil(bottom)) - y),
  );
}

function copied(
  { width: stride, channels, data }: Pixels,
  left: number,
  top: number,
  width: number,
  height: number,
): RgbPixels {
  const target = new Uint8Array(width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = ((top + y) * stride + left) * channels; x < width; x++, from += channels, to += 3) {
      target[to] = data[from]!;
      target[to + 1] = data[channels === 1 ? from : from + 1]!;
      target[to + 2] = data[channels === 1 ? from : from + 2]!;
    }
  }
  return { width, height, channels: 3, data: target };
}

/** Samples the scan along the rectangle's own axes, with bilinear interpolation; background colour outside the scan. */
function turned(part: ScanPart, { middle, angle, ...size }: FoundPhoto['rectangle'], background: Colour): RgbPixels {
  const [width, height] = [Math.max(1, Math.round(size.width)), Math.max(1, Math.round(size.height))];
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const { width: across, height: down } = part.scan;
  const target = new Uint8Array(width * height * 3);
  for (let v = 0, to = 0; v < height; v++) {
    const dy = v + 0.5 - height / 2;
    for (let u = 0; u < width; u++, to += 3) {
      const dx = u + 0.5 - width / 2;
      const x = middle.x + dx * cos - dy * sin - 0.5;
      const y = middle.y + dx * sin + dy * cos - 0.5;
      if (x < -0.5 || y < -0.5 || x > across - 0.5 || y > down - 0.5) target.set(background, to);
      else sample(part, x - part.left, y - part.top, target, to);
    }
  }
  return { width, height, channels: 3, data: target };
}

/** Interpolates between the four pixels around a place. */
function sample({ channels, data, width, height }: Pixels, x: number, y: number, target: Uint8Array, to: number): void {
  const x0 = x < 0 ? 0 : Math.floor(x);
  const y0 = y < 0 ? 0 : Math.floor(y);
  const fx = x < x0 ? 0 : x - x0;
  const fy = y < y0 ? 0 : y - y0;
  let upper = (y0 * width + x0) * channels;
  const right = x0 + 1 < width ? channels : 0;
  let lower = y0 + 1 < height ? upper + width * channels : upper;
  const step = channels === 1 ? 0 : 1;
  for (let c = 0; c < 3; c++, upper += step, lower += step) {
    const above = data[upper]! * (1 - fx) + data[upper + right]! * fx;
    const below = data[lower]! * (1 - fx) + data[lower + right]! * fx;
    target[to + c] = above * (1 - fy) + below * fy + 0.5;
  }
}
