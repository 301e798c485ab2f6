/** Samples of several channels with a weight for each cell; 0 marks a hole. */
export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: Float32Array;
  readonly weights: Float32Array;
}

/**
 * Fills the holes of a grid from their surroundings, in place: each takes the value of its cell in a grid of half the
 * size, whose cells are means of known ones, and whose holes are filled in the same way.
 */
export function fillHoles(grid: Grid): void {
  const { width, height, channels, values, weights } = grid;
  if (!weights.includes(0) || (width === 1 && height === 1)) return;
  const half = halved(grid);
  fillHoles(half);
  for (let y = 0, cell = 0; y < height; y++) {
    for (let x = 0; x < width; x++, cell++) {
      if (weights[cell] !== 0) continue;
      for (let c = 0; c < channels; c++) values[cell * channels + c] = between(half, x / 2 - 0.25, y / 2 - 0.25, c);
      weights[cell] = 1;
    }
  }
}

function halved({ width, height, channels, values, weights }: Grid): Grid {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const half = {
    width: across,
    height: down,
    channels,
    values: new Float32Array(across * down * channels),
    weights: new Float32Array(across * down),
  };
  for (let y = 0, cell = 0; y < height; y++) {
    for (let x = 0; x < width; x++, cell++) {
      const weight = weights[cell]!;
      const to = (y >> 1) * across + (x >> 1);
      half.weights[to]! += weight;
      for (let c = 0; c < channels; c++) half.values[to * channels + c]! += weight * values[cell * channels + c]!;
    }
  }
  for (let cell = 0; cell < half.weights.length; cell++) {
    const weight = half.weights[cell]!;
    if (weight === 0) continue;
    for (let c = 0; c < channels; c++) half.values[cell * channels + c]! /= weight;
    half.weights[cell] = Math.min(1, weight);
  }
  return half;
}

/** The value between four cells. */
function between({ width, height, channels, values }: Grid, x: number, y: number, channel: number): number {
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)];
  const [dx, dy] = [Math.max(0, x - left), Math.max(0, y - top)];
  const at = (cx: number, cy: number): number => values[(cy * width + cx) * channels + channel]!;
  return (
    (at(left, top) * (1 - dx) + at(right, top) * dx) * (1 - dy) +
    (at(left, bottom) * (1 - dx) + at(right, bottom) * dx) * dy
  );
}
