import { writeFile } from 'node:fs/promises';
import type { PixelSize } from '../../engines/rendering/index.js';

/** Samples of a picture, rows from the top: one byte a pixel in grey, three in colours. */
export interface Samples extends PixelSize {
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

const WHITE = 255;
/** Grey below this is ink. */
export const INK = 128;

/** Grey of a picture in RGBA (ITU-R BT.601, the weights in parts of 256). */
export function greyOf(pixels: Uint8Array, { width, height }: PixelSize): Samples {
  const data = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < data.length; at++, from += 4)
    data[at] = (pixels[from]! * 77 + pixels[from + 1]! * 150 + pixels[from + 2]! * 29) >> 8;
  return { width, height, channels: 1, data };
}

/** The same of samples. */
export function greySamples({ width, height, channels, data }: Samples): Samples {
  if (channels === 1) return { width, height, channels, data };
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < grey.length; at++, from += 3)
    grey[at] = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8;
  return { width, height, channels: 1, data: grey };
}

/** Colours of a picture in RGBA, or its grey where no pixel has more colour than scanners make of grey. */
export function samplesOf(pixels: Uint8Array, size: PixelSize): Samples {
  const { width, height } = size;
  let coloured = 0;
  for (let from = 0; from < pixels.length; from += 4) {
    const [red, green, blue] = [pixels[from]!, pixels[from + 1]!, pixels[from + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 40) coloured++;
  }
  // A stamp of a square centimetre on a page is three pixels of a thousand.
  if (coloured < width * height * 0.0005) return greyOf(pixels, size);
  const data = new Uint8Array(width * height * 3);
  for (let to = 0, from = 0; to < data.length; to += 3, from += 4) {
    data[to] = pixels[from]!;
    data[to + 1] = pixels[from + 1]!;
    data[to + 2] = pixels[from + 2]!;
  }
  return { width, height, channels: 3, data };
}

/** True for a page without a mark on it. */
export function isEmptyPage({ data }: Samples): boolean {
  let least = WHITE;
  let most = 0;
  for (let at = 0; at < data.length; at++) {
    const value = data[at]!;
    if (value < least) least = value;
    if (value > most) most = value;
    if (most - least > 24) return false;
  }
  return true;
}

/**
 * Writes grey samples as a picture file that recognition reads without decoding: a portable grey map (PGM, the netpbm
 * format P5).
 */
export async function writePgm(path: string, { width, height, data }: Samples): Promise<void> {
  await writeFile(path, Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]), { mode: 0o600 });
}

/**
 * Turns a picture clockwise about its middle by degrees, in its own size; what comes in from beyond its edges is white.
 */
export function turnedSamples({ width, height, channels, data }: Samples, degrees: number): Samples {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const turned = new Uint8Array(data.length);
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 0, to = 0; y < height; y++) {
    let fromX = middleX - middleX * cos + (y - middleY) * sin;
    let fromY = middleY + middleX * sin + (y - middleY) * cos;
    for (let x = 0; x < width; x++, fromX += cos, fromY -= sin) {
      const left = Math.floor(fromX);
      const top = Math.floor(fromY);
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
        for (let c = 0; c < channels; c++) turned[to++] = WHITE;
        continue;
      }
      const across = fromX - left;
      const down = fromY - top;
      const at = (top * width + left) * channels;
      const below = at + width * channels;
      for (let c = 0; c < channels; c++) {
        const upper = data[at + c]! + (data[at + channels + c]! - data[at + c]!) * across;
        const lower = data[below + c]! + (data[below + channels + c]! - data[below + c]!) * across;
        turned[to++] = Math.round(upper + (lower - upper) * down);
      }
    }
  }
  return { width, height, channels, data: turned };
}
