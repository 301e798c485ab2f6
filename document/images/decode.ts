import type { Sharp } from 'sharp';
import { checkPixels, coded, MAX_PICTURE_PIXELS, type RawPicture, unreadable } from './picture-checks.js';

/** Image file types that can be read. */
export const pictureKinds = ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'psd'] as const;
/** One of `pictureKinds`. */
export type PictureKind = (typeof pictureKinds)[number];

/** An image file that was opened and measured, not yet decoded. */
export interface OpenedPicture {
  readonly width: number;
  readonly height: number;
  /** Frames of a TIFF; 1 for all others: of animations the first frame counts. */
  readonly frames: number;
  /** EXIF orientation 1 to 8 (always 1 for TIFF). */
  readonly orientation: number;
  readonly hasAlpha: boolean;
  readonly icc: Uint8Array | undefined;
  /** Decodes one frame. */
  frame(index: number): Promise<Sharp>;
}

/** Opens an image file. Throws IMAGE_UNREADABLE with the field, IMAGE_TOO_LARGE before any pixel is decoded. */
export async function openPicture(bytes: Uint8Array, kind: PictureKind, field: string): Promise<OpenedPicture> {
  if (kind === 'bmp') return openRaw(await (await import('./bmp.js')).readBmp(bytes, field));
  if (kind === 'psd') return openRaw((await import('./psd.js')).readPsd(bytes, field));
  const { default: sharp } = await import('sharp');
  const metadata = await coded(field, () => sharp(bytes, { limitInputPixels: false }).metadata());
  if (metadata.format !== kind) throw unreadable(field, `it is not a ${kind} file`);
  const { width, height } = metadata;
  checkPixels(width, height);
  const frames = kind === 'tiff' ? (metadata.pages ?? 1) : 1;
  return {
    width,
    height,
    frames,
    icc: metadata.icc,
    hasAlpha: metadata.hasAlpha,
    orientation: kind === 'tiff' ? 1 : (metadata.orientation ?? 1),
    frame: async (index) => sharp(bytes, { page: index, failOn: 'error', limitInputPixels: MAX_PICTURE_PIXELS }),
  };
}

async function openRaw(raw: RawPicture): Promise<OpenedPicture> {
  const { default: sharp } = await import('sharp');
  const { width, height, channels } = raw;
  return {
    width,
    height,
    frames: 1,
    orientation: 1,
    icc: undefined,
    hasAlpha: channels === 4,
    frame: async () => sharp(raw.data, { raw: { width, height, channels } }),
  };
}
