import type { Plane } from './plane.js';

/** How far the threshold lies below the local mean on even paper, as a share of it. */
const SENSITIVITY = 0.16;
/** The largest standard deviation that samples of eight bits can have. */
const DEVIATION_RANGE = 128;
/** Window, as a share of the shorter side and in pixels: larger than a letter, smaller than changes of the light. */
const WINDOW_SHARE = 1 / 100;
const [MIN_RADIUS, MAX_RADIUS] = [12, 40] as const;

/** The share of the page's usual brightness below which a pixel is dark whatever is around: in bars, for instance. */
const SURELY_DARK = 0.45;

/**
 * Returns 1 for pixels that are darker than their surroundings and 0 for the others, by Sauvola's threshold
 * `m (1 + k (s / R - 1))`, where m and s are mean and standard deviation in a window around the pixel (J. Sauvola, M.
 * Pietikäinen: Adaptive document image binarization, Pattern Recognition 33, 2000). The sums move along with the
 * window, so that the time does not depend on its size. Large areas that are much darker than the page count too.
 */
export function darkerThanAround({ width, height, data }: Plane): Uint8Array {
  const radius = Math.min(
    MAX_RADIUS,
    Math.max(MIN_RADIUS, Math.round(Math.min(width, height) * WINDOW_SHARE)),
    Math.floor((Math.min(width, height) - 1) / 2),
  );
  const dark = new Uint8Array(width * height);
  const columns = new ColumnSums(width);
  const surely = usualBrightness(data) * SURELY_DARK;
  for (let y = 0; y < Math.min(radius, height); y++) columns.add(data, y * width, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) columns.add(data, (y + radius) * width, 1);
    if (y - radius - 1 >= 0) columns.add(data, (y - radius - 1) * width, -1);
    const rows = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    markRow(columns, data, dark, { from: y * width, width, radius, rows, surely });
  }
  return dark;
}

/** Sums of samples and of their squares, over the rows of the window. */
class ColumnSums {
  readonly values: Uint32Array;
  readonly squares: Uint32Array;

  constructor(width: number) {
    this.values = new Uint32Array(width);
    this.squares = new Uint32Array(width);
  }

  add(data: Uint8Array, from: number, sign: 1 | -1): void {
    const { values, squares } = this;
    for (let x = 0; x < values.length; x++) {
      const value = data[from + x]!;
      values[x] = values[x]! + sign * value;
      squares[x] = squares[x]! + sign * value * value;
    }
  }
}

interface Row {
  readonly from: number;
  readonly width: number;
  readonly radius: number;
  /** Rows of the window that are in the image. */
  readonly rows: number;
  /** Darker pixels are marked in any case. */
  readonly surely: number;
}

/** The median. */
function usualBrightness(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < data.length; i++) counts[data[i]!]!++;
  let [value, left] = [0, data.length / 2];
  while (value < 255 && left > counts[value]!) left -= counts[value++]!;
  return value;
}

function markRow({ values, squares }: ColumnSums, data: Uint8Array, dark: Uint8Array, row: Row): void {
  const { from, width, radius, rows, surely } = row;
  let [sum, square, columns] = [0, 0, 0];
  for (let x = 0; x < radius; x++) {
    sum += values[x]!;
    square += squares[x]!;
    columns++;
  }
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      sum += values[x + radius]!;
      square += squares[x + radius]!;
      columns++;
    }
    if (x - radius - 1 >= 0) {
      sum -= values[x - radius - 1]!;
      square -= squares[x - radius - 1]!;
      columns--;
    }
    const count = columns * rows;
    const mean = sum / count;
    const value = data[from + x]!;
    if (value < surely) dark[from + x] = 1;
    if (value < surely || value >= mean) continue;
    const deviation = Math.sqrt(Math.max(0, square / count - mean * mean));
    if (value < mean * (1 + SENSITIVITY * (deviation / DEVIATION_RANGE - 1))) dark[from + x] = 1;
  }
}
