import type { Pixels } from './decode-image.js';
import { readJpegHeader } from './jpeg.js';

export interface JpegSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes a JPEG in grey or RGB, scaled to `size`, which takes much less time than decoding all of it; metadata and
 * embedded profiles are ignored, as PDF readers do. Undefined for any other JPEG, a damaged one, and one that is not
 * `stored` pixels in size.
 */
export async function jpegPixels(bytes: Uint8Array, stored: JpegSize, size: JpegSize): Promise<Pixels | undefined> {
  const header = readJpegHeader(bytes);
  if (header === undefined || header.components === 4) return undefined;
  const { default: sharp } = await import('sharp');
  let image = sharp(bytes, { failOn: 'warning', ignoreIcc: true, limitInputPixels: false });
  try {
    const found = await image.metadata();
    if (found.width !== stored.width || found.height !== stored.height) return undefined;
    if (size.width !== stored.width || size.height !== stored.height) {
      // The kernel whose results are nearest to PDFium's, which takes the mean of what a pixel covers.
      image = image.resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' });
    }
    if (header.components === 1) image = image.toColourspace('b-w');
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return info.channels === 1 || info.channels === 3
      ? { width: info.width, height: info.height, channels: info.channels, data }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns grey or RGB pixels as shades of grey (ITU-R BT.601). */
export function greyPixels({ width, height, channels, data }: Pixels): Pixels & { readonly channels: 1 } {
  if (channels === 1) return { width, height, channels, data };
  const grey = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += channels)
    grey[i] = (data[at]! * 77 + data[at + 1]! * 151 + data[at + 2]! * 28) >> 8;
  return { width, height, channels: 1, data: grey };
}
