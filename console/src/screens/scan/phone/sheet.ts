import { sheetIn, WHOLE, type Quad } from './quad.ts';

/** Longest side in pixels of the picture in which a sheet is sought: enough for corners, quick on any phone. */
const SEEN = 320;

/**
 * Finds a bright sheet on something darker: the largest bright patch, if it has the shape of a page. The whole picture
 * where there is none. Rejects if the browser cannot read the picture.
 */
export async function findSheet(picture: Blob): Promise<Quad> {
  const bitmap = await createImageBitmap(picture);
  const scale = Math.min(1, SEEN / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const pixels = context?.getImageData(0, 0, width, height);
  return (pixels && sheetIn(greyOf(pixels.data), width)) ?? WHOLE;
}

/** Brightness of each pixel (ITU-R BT.601). */
function greyOf(data: Uint8ClampedArray): Uint8Array {
  const grey = new Uint8Array(data.length / 4);
  for (let i = 0; i < grey.length; i++)
    grey[i] = 0.299 * data[i * 4]! + 0.587 * data[i * 4 + 1]! + 0.114 * data[i * 4 + 2]!;
  return grey;
}
