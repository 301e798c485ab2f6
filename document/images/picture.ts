import type { Sharp } from 'sharp';
import { DocumentError } from '../errors.js';
import { type ColourMode, coloured } from './colour-mode/index.js';
import { type OpenedPicture, type PictureKind, openPicture } from './decode.js';
import { coded } from './picture-checks.js';
import { type JpegHeader, readJpegHeader } from './jpeg.js';
import { type PngData, pngData } from './png-data.js';

/** An image ready to be embedded. */
export interface Picture {
  /** Size as displayed, orientation applied. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation that drawing must still apply, 1 to 8. */
  readonly orientation: number;
  readonly content:
    | {
        readonly jpeg: Uint8Array;
        readonly header: JpegHeader;
        readonly icc: Uint8Array | undefined;
        readonly stored: readonly [number, number];
      }
    | { readonly rows: PngData; readonly alpha: PngData | undefined };
}

export interface PictureOptions {
  /** Form field that errors name. */
  readonly field: string;
  readonly colour?: ColourMode;
  /**
   * The most pixels of an image that must be decoded, which is every one but a JPEG; by default what can be read at
   * all.
   */
  readonly maxPixels?: number;
}

const JPEG_QUALITY = 92;

/**
 * Reads an image file frame by frame (more than one for TIFF only). A JPEG whose colours stay keeps its bytes; one
 * whose colours change is recompressed; all others are kept without loss, alpha as a mask. Throws IMAGE_UNREADABLE,
 * IMAGE_TOO_LARGE.
 */
export async function* readPictures(
  bytes: Uint8Array,
  kind: PictureKind,
  options: PictureOptions,
): AsyncGenerator<Picture> {
  const { field, colour = 'color', maxPixels = Infinity } = options;
  const opened = await openPicture(bytes, kind, field);
  const found = opened.width * opened.height;
  if (kind !== 'jpeg' && found > maxPixels) throw new DocumentError('IMAGE_TOO_LARGE', { found, limit: maxPixels });
  for (let index = 0; index < opened.frames; index++) {
    yield await coded(field, () =>
      kind === 'jpeg' && colour !== 'blackwhite'
        ? jpegPicture(bytes, opened, colour)
        : flatPicture(opened, index, colour),
    );
  }
}

/** Returns the first frame of an image file. */
export async function readPicture(bytes: Uint8Array, kind: PictureKind, options: PictureOptions): Promise<Picture> {
  for await (const picture of readPictures(bytes, kind, options)) return picture;
  throw new TypeError('an image without frames');
}

async function jpegPicture(bytes: Uint8Array, opened: OpenedPicture, colour: ColourMode): Promise<Picture> {
  const { width, height, orientation } = opened;
  let jpeg = bytes;
  if (colour === 'greyscale')
    jpeg = await (await opened.frame(0)).greyscale().toColourspace('b-w').jpeg({ quality: JPEG_QUALITY }).toBuffer();
  // Decoding at an eighth of the size reads every block, so a truncated file is rejected and not embedded.
  else
    await (
      await opened.frame(0)
    )
      .resize({ width: Math.max(1, Math.floor(width / 8)) })
      .raw()
      .toBuffer();
  const header = readJpegHeader(jpeg);
  if (header === undefined) return flatPicture(opened, 0, colour);
  const icc = colour === 'color' && fits(opened.icc, header.components) ? opened.icc : undefined;
  return {
    ...shownSize(width, height, orientation),
    orientation,
    content: { jpeg, header, icc, stored: [width, height] },
  };
}

async function flatPicture(opened: OpenedPicture, index: number, colour: ColourMode): Promise<Picture> {
  const source = await opened.frame(index);
  const hasAlpha = opened.hasAlpha && !(await isOpaque(source));
  const rows = pngData(
    await coloured(source.clone().removeAlpha(), colour)
      .png({ compressionLevel: 6, adaptiveFiltering: true, palette: false })
      .toBuffer(),
  );
  const alpha = hasAlpha
    ? pngData(
        await source
          .clone()
          .ensureAlpha()
          .extractChannel('alpha')
          .toColourspace('b-w')
          .png({ compressionLevel: 6, palette: false })
          .toBuffer(),
      )
    : undefined;
  return {
    ...shownSize(rows.width, rows.height, opened.orientation),
    orientation: opened.orientation,
    content: { rows, alpha },
  };
}

async function isOpaque(source: Sharp): Promise<boolean> {
  return (await source.clone().stats()).isOpaque;
}

function shownSize(width: number, height: number, orientation: number): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** True when the profile is for the file's colour space (ICC.1, 7.2.6). */
function fits(icc: Uint8Array | undefined, components: number): boolean {
  if (icc === undefined || icc.length < 128) return false;
  const space = Buffer.from(icc.subarray(16, 20)).toString('latin1');
  return space === { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }[components];
}
