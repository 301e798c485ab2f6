import type { Sharp } from 'sharp';
import { DocumentError } from '../errors.js';

/** Kinds of pictures that can be read. */
export const pictureKinds = ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'psd'] as const;
/** One of `pictureKinds`. */
export type PictureKind = (typeof pictureKinds)[number];

/** How colours are kept. */
export type ColourMode = 'color' | 'greyscale' | 'blackwhite';

/** Pixels of one picture that are read at most; over it the picture is refused before it is decoded. */
export const MAX_PICTURE_PIXELS = 16_383 * 16_383;

/** A picture opened and measured, not yet decoded. */
export interface OpenedPicture {
  readonly width: number;
  readonly height: number;
  /** Frames of a TIFF; 1 for all others, of whose animations the first frame counts. */
  readonly frames: number;
  /** EXIF orientation 1 to 8 (always 1 for TIFF). */
  readonly orientation: number;
  readonly hasAlpha: boolean;
  readonly icc: Uint8Array | undefined;
  /** Decoder of one frame. */
  frame(index: number): Promise<Sharp>;
}

/** Opens a picture. Errors: IMAGE_UNREADABLE naming the field, IMAGE_TOO_LARGE before any pixel is decoded. */
export async function openPicture(bytes: Uint8Array, kind: PictureKind, field: string): Promise<OpenedPicture> {
  if (kind === 'bmp') return openRaw(await (await import('./bmp.js')).readBmp(bytes, field));
  if (kind === 'psd') return openRaw((await import('./psd.js')).readPsd(bytes, field));
  const { default: sharp } = await import('sharp');
  const metadata = await coded(field, () => sharp(bytes, { limitInputPixels: false }).metadata());
  if (metadata.format !== kind) throw unreadable(field, `it is no ${kind} file`);
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

/** Pixels as a decoder of ours gives them: 3 or 4 bytes each. */
export interface RawPicture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
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

/** Refuses a picture of more pixels than `MAX_PICTURE_PIXELS`, or of none. */
export function checkPixels(width: number, height: number): void {
  const found = width * height;
  if (!(found <= MAX_PICTURE_PIXELS)) throw new DocumentError('IMAGE_TOO_LARGE', { found, limit: MAX_PICTURE_PIXELS });
}

/** Runs a decoder and turns what it throws into IMAGE_UNREADABLE. */
export async function coded<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable(field, reasonOf(error), error);
  }
}

/** The refusal of a picture that cannot be read. */
export function unreadable(field: string, detail: string, cause?: unknown): DocumentError {
  return new DocumentError('IMAGE_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
}

function reasonOf(error: unknown): string {
  const line = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
  return line === '' ? 'its data is damaged' : line.slice(0, 120);
}
