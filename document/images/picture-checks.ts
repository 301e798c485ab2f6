import { DocumentError } from '../errors.js';

/** The most pixels of one image; larger ones are rejected before they are decoded. */
export const MAX_PICTURE_PIXELS = 16_383 * 16_383;

/** Pixels from a decoder in this folder: 3 or 4 bytes each. */
export interface RawPicture {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/** Rejects an image with more pixels than `MAX_PICTURE_PIXELS`, or with none. */
export function checkPixels(width: number, height: number): void {
  const found = width * height;
  if (!(found <= MAX_PICTURE_PIXELS)) throw new DocumentError('IMAGE_TOO_LARGE', { found, limit: MAX_PICTURE_PIXELS });
}

/** Runs a decoder and turns its errors into IMAGE_UNREADABLE. */
export async function coded<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable(field, reasonOf(error), error);
  }
}

/** The error for an image that cannot be read. */
export function unreadable(field: string, detail: string, cause?: unknown): DocumentError {
  return new DocumentError('IMAGE_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
}

function reasonOf(error: unknown): string {
  const line = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '';
  return line === '' ? 'its data is damaged' : line.slice(0, 120);
}
