/** A part of an image in pixels: its first column and row from the top, and the first ones after it. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A pixel is white if its red, green and blue are all at least this (`docs/interface/general.yml`, crop). */
const WHITE = 250;

/**
 * Returns the smallest box around all pixels that are not white, in an image with 4 bytes per pixel (red, green, blue,
 * unused), rows from the top; undefined if all are white. Every pixel counts, so that hairlines are never cut off.
 */
export function inkBox(pixels: Uint8Array, width: number, height: number): PixelBox | undefined {
  const isInk = (at: number): boolean => pixels[at]! < WHITE || pixels[at + 1]! < WHITE || pixels[at + 2]! < WHITE;
  /** First column with ink in a row, searched only before `end`; `end` if there is none. */
  const fromLeft = (row: number, end: number): number => {
    const start = row * width * 4;
    for (let x = 0; x < end; x++) if (isInk(start + x * 4)) return x;
    return end;
  };
  const fromRight = (row: number, end: number): number => {
    const start = row * width * 4;
    for (let x = width; x > end; x--) if (isInk(start + (x - 1) * 4)) return x;
    return end;
  };
  let top = 0;
  while (top < height && fromLeft(top, width) === width) top++;
  if (top === height) return undefined;
  let bottom = height;
  while (fromLeft(bottom - 1, width) === width) bottom--;
  let left = width;
  let right = 0;
  for (let row = top; row < bottom; row++) {
    left = fromLeft(row, left);
    right = fromRight(row, right);
  }
  return { left, top, right, bottom };
}
