import { DocumentError } from '../errors.js';
import type { Pixels } from './decode-image.js';

/** Output formats for decoded pixels. */
export const pixelFormats = ['png', 'jpeg', 'gif'] as const;
/** One of `pixelFormats`. */
export type PixelFormat = (typeof pixelFormats)[number];

const JPEG_QUALITY = 92;
/** From 1 to 10: a higher value doubles the time for nearly the same colours. */
const GIF_EFFORT = 3;
/** The longest side in pixels that the formats support. */
const MAX_SIDE_PIXELS: Partial<Record<PixelFormat, number>> = { jpeg: 65_500, gif: 65_535 };

/**
 * Encodes pixels as an image file. PNG keeps transparency; JPEG and GIF are flattened on white. Throws INPUT_INVALID
 * with `field` where the format does not support the size.
 */
export async function encodePixels(
  { width, height, channels, data }: Pixels,
  format: PixelFormat,
  field: string,
): Promise<Uint8Array> {
  const limit = MAX_SIDE_PIXELS[format];
  const found = Math.max(width, height);
  if (limit !== undefined && found > limit) {
    const detail = `a ${format} image can have ${limit} pixels on a side, and one has ${found}; use png instead`;
    throw new DocumentError('INPUT_INVALID', { detail }, [{ pointer: `/${field}`, detail }]);
  }
  const { default: sharp } = await import('sharp');
  let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (channels === 4 && format !== 'png') image = image.flatten({ background: '#ffffff' });
  if (channels === 1) image = image.toColourspace('b-w');
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 6, palette: false }).toBuffer();
    case 'jpeg':
      return image.jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer();
    case 'gif':
      return image.gif({ effort: GIF_EFFORT }).toBuffer();
  }
}
