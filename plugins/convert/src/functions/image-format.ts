import type { Sharp } from 'sharp';
import { DocumentError } from '@quire/document';
import { type ColourMode, coloured } from '@quire/document/images/colour-mode';
import type { PixelSize } from '@quire/document/engines/rendering/pages';
import { densityChunk } from './png-writer.js';

/** Formats that pages are rendered to, as they are asked for. */
export const imageFormats = ['png', 'jpeg', 'jpg', 'gif', 'webp', 'tif', 'tiff'] as const;
/** One of `imageFormats`. */
export type ImageFormat = (typeof imageFormats)[number];

/** Rows of pixels from the top, without gaps. */
export interface Pixels extends PixelSize {
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array;
}

/** The longest side that the formats can hold; WebP pictures are scaled down to theirs, the others are refused. */
const LONGEST_SIDE: Partial<Record<ImageFormat, number>> = { jpeg: 65_500, jpg: 65_500, gif: 65_535 };
const WEBP_SIDE = 16_383;
const JPEG_QUALITY = 90;
const WEBP_QUALITY = 90;

/** Factor, at most 1, that makes a picture of this size fit into the format. */
export function fittingScale(format: ImageFormat, { width, height }: PixelSize): number {
  return format === 'webp' ? Math.min(1, WEBP_SIDE / width, WEBP_SIDE / height) : 1;
}

/** Refuses sizes that the format cannot hold: INPUT_INVALID. */
export function checkSides(format: ImageFormat, { width, height }: PixelSize): void {
  const limit = LONGEST_SIDE[format];
  const found = Math.max(width, height);
  if (limit === undefined || found <= limit) return;
  const detail =
    `a ${format} picture can have ${limit} pixels on a side, and this one would have ${found}: ask for png, a ` +
    'lower dpi or fewer pages';
  throw new DocumentError('INPUT_INVALID', { detail }, [{ pointer: '/imageFormat', detail }]);
}

/** Rendered pixels in the wanted colours: three channels, or one for grey and black and white. */
export async function colourPixels(rendered: Uint8Array, size: PixelSize, colour: ColourMode): Promise<Pixels> {
  const { default: sharp } = await import('sharp');
  const { width, height } = size;
  const image = coloured(
    sharp(rendered, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha(),
    colour,
  );
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { width, height, channels: info.channels === 1 ? 1 : 3, data };
}

/** Writes pixels as a picture file; `dpi` is noted in it. Black and white WebP is kept without loss. */
export async function encodeImage(
  pixels: Pixels,
  format: ImageFormat,
  colour: ColourMode,
  dpi: number,
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const { width, height, channels, data } = pixels;
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return encode(channels === 1 ? image.toColourspace('b-w') : image, format, colour, dpi);
}

/**
 * The same for a rendered page, in one go beside the main thread: `rendered` must not change until then. Gives what
 * `encodeImage` makes of `colourPixels`.
 */
export async function encodeRendered(
  rendered: Uint8Array,
  { width, height }: PixelSize,
  format: ImageFormat,
  colour: ColourMode,
  dpi: number,
): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const image = sharp(rendered, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha();
  return encode(coloured(image, colour), format, colour, dpi);
}

async function encode(image: Sharp, format: ImageFormat, colour: ColourMode, dpi: number): Promise<Uint8Array> {
  switch (format) {
    case 'png':
      return pngDensity(await image.png({ compressionLevel: 6 }).toBuffer(), dpi);
    case 'jpeg':
    case 'jpg':
      return jpegDensity(await image.jpeg({ quality: JPEG_QUALITY }).toBuffer(), dpi);
    case 'gif':
      return image.gif().toBuffer();
    case 'webp':
      return image.webp(colour === 'blackwhite' ? { lossless: true } : { quality: WEBP_QUALITY }).toBuffer();
    case 'tif':
    case 'tiff':
      return image
        .tiff({ compression: 'deflate', predictor: 'horizontal', xres: dpi / 25.4, yres: dpi / 25.4 })
        .toBuffer();
  }
}

/**
 * Sets the pHYs chunk behind the header, which ends at byte 33. The encoder's own way to say it would make grey
 * pictures RGB.
 */
function pngDensity(png: Buffer, dpi: number): Buffer {
  const chunk = densityChunk(dpi);
  const rest = png.subarray(png.toString('latin1', 37, 41) === 'pHYs' ? 33 + chunk.length : 33);
  return Buffer.concat([png.subarray(0, 33), chunk, rest]);
}

/** Puts a JFIF header with dots per inch behind the start marker (JFIF 1.02, 9); the encoder writes none. */
function jpegDensity(jpeg: Buffer, dpi: number): Buffer {
  if (jpeg.toString('latin1', 6, 10) === 'JFIF') return jpeg;
  const header = Buffer.from('ffe000104a46494600010101000000000000', 'hex');
  header.writeUInt16BE(dpi, 12);
  header.writeUInt16BE(dpi, 14);
  return Buffer.concat([jpeg.subarray(0, 2), header, jpeg.subarray(2)]);
}
