import type { Plane } from './plane.js';

/**
 * Straightens the edges of a plane of zeros and ones, in place: single pixels that stick out of a straight edge or
 * lie alone are removed, gaps of one pixel in it are closed. Nothing wider than a pixel changes. The code of smooth
 * edges is shorter.
 */
export function smoothEdges({ width, height, data }: Plane): void {
  let [above, here] = [data.slice(0, width), data.slice(width, 2 * width)];
  for (let y = 1; y + 1 < height; y++) {
    const below = data.slice((y + 1) * width, (y + 2) * width);
    for (let x = 1; x + 1 < width; x++) {
      const own = here[x]!;
      // Inside of marks and of the paper, which is most of the page.
      if (here[x + 1] === own && here[x - 1] === own && above[x] === own && below[x] === own) continue;
      const others = around(above, here, below, x);
      if (own === 1 ? FLIPS[others] === 1 : FLIPS[others ^ 0xff] === 1) data[y * width + x] = own ^ 1;
    }
    [above, here] = [here, below];
  }
}

/** The eight neighbours as bits, clockwise from the upper left. */
function around(above: Uint8Array, here: Uint8Array, below: Uint8Array, x: number): number {
  return (
    above[x - 1]! |
    (above[x]! << 1) |
    (above[x + 1]! << 2) |
    (here[x + 1]! << 3) |
    (below[x + 1]! << 4) |
    (below[x]! << 5) |
    (below[x - 1]! << 6) |
    (here[x - 1]! << 7)
  );
}

/** For each set of neighbours that are like a pixel: 1 where the pixel is alone or sticks out of a straight edge. */
const FLIPS = Uint8Array.from({ length: 256 }, (_none, set) => (isBump(set) ? 1 : 0));

function isBump(set: number): boolean {
  if (set === 0) return true;
  // Two or three neighbours in a row, on one of the four sides.
  return [0b0000_0111, 0b0001_1100, 0b0111_0000, 0b1100_0001].some((side) => set === side);
}
