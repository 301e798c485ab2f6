import { INK, type Samples } from './grey-picture.js';

/** Lines with a larger skew are considered intentional. */
const MOST_DEGREES = 7;
const COARSE = 0.5;
const FINE = 0.05;
/** Less is not worth turning a page for. */
const LEAST_DEGREES = 0.1;
/** Rows of ink must stand out so much better when turned. */
const LEAST_GAIN = 1.05;
/** The picture is looked at with about so many pixels on its longer side. */
const LOOKED_AT = 1400;
const LEAST_INK = 200;
const MOST_INK = 400_000;

/**
 * Measures by how many degrees the lines of a scanned page fall from left to right: turning the page back by that,
 * counter-clockwise, makes them level. 0 where it shows no lines. Lines stand out when ink gathers in few rows, so the
 * angle is sought at which neighbouring rows differ most (Postl, 1986).
 */
export function measureSkew(picture: Samples): number {
  const points = inkOf(picture);
  if (points === undefined) return 0;
  const level = contrast(points, 0);
  let best = { degrees: 0, score: level };
  const look = (from: number, to: number, step: number): void => {
    for (let at = 0; at <= Math.round((to - from) / step); at++) {
      const degrees = from + at * step;
      const score = contrast(points, degrees);
      if (score > best.score) best = { degrees, score };
    }
  };
  look(-MOST_DEGREES, MOST_DEGREES, COARSE);
  const { degrees } = best;
  look(degrees - COARSE, degrees + COARSE, FINE);
  return Math.abs(best.degrees) < LEAST_DEGREES ||
    best.score < level * LEAST_GAIN ||
    Math.abs(best.degrees) > MOST_DEGREES
    ? 0
    : best.degrees;
}

interface Points {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** The pixels of ink in a smaller picture; undefined where there is next to none, or nothing but. */
function inkOf({ width, height, data }: Samples): Points | undefined {
  const step = Math.max(1, Math.round(Math.max(width, height) / LOOKED_AT));
  const [columns, rows] = [Math.floor(width / step), Math.floor(height / step)];
  const found: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let y = row * step; y < (row + 1) * step; y++)
        for (let x = column * step; x < (column + 1) * step; x++) sum += data[y * width + x]!;
      if (sum < INK * step * step) found.push(column, row);
    }
  }
  const count = found.length / 2;
  if (count < LEAST_INK || count > columns * rows * 0.5) return undefined;
  const every = Math.ceil(count / MOST_INK);
  const kept = Math.floor(count / every);
  return {
    x: Float32Array.from({ length: kept }, (_none, i) => found[i * every * 2]!),
    y: Float32Array.from({ length: kept }, (_none, i) => found[i * every * 2 + 1]!),
    width: columns,
    height: rows,
  };
}

/** How much the rows differ from their neighbours once the page is turned back by these degrees. */
function contrast({ x, y, width, height }: Points, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil(Math.abs(slope) * width) + 1;
  const rows = new Uint32Array(height + 2 * margin);
  for (let i = 0; i < x.length; i++) rows[Math.round(y[i]! - x[i]! * slope) + margin]!++;
  let score = 0;
  for (let row = 1; row < rows.length; row++) score += (rows[row]! - rows[row - 1]!) ** 2;
  return score;
}
