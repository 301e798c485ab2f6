import type { Point } from './smallest-rectangle.js';

/** One byte per pixel: 1 if it is marked. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A connected region of a mask. */
export interface Region {
  /** Bounding box: left and top are inside, right and bottom just outside. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Pixels between the outermost ones of each row, so holes count. */
  readonly area: number;
  /** Corners of the outermost pixels of each row; their convex hull is the region's. */
  readonly outline: readonly Point[];
}

/** Dilates (`grow`) or erodes a mask with a square of `2 * radius + 1` pixels; there is nothing beyond its edges. */
function spread(mask: Mask, radius: number, grow: boolean): Mask {
  let { data } = mask;
  for (let step = 0; step < radius; step++) data = spreadOnce({ ...mask, data }, grow);
  return { ...mask, data };
}

/** By a square of 3 pixels: first along the rows, then along the columns, row by row for the memory cache. */
function spreadOnce({ width, height, data }: Mask, grow: boolean): Uint8Array {
  // Eroding a mask is dilating its complement, which saves a decision for each pixel.
  const flip = grow ? 0 : 1;
  const across = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const end = (y + 1) * width - 1;
    let left = 0;
    let middle = data[y * width]! ^ flip;
    for (let at = y * width; at < end; at++) {
      const right = data[at + 1]! ^ flip;
      across[at] = left | middle | right;
      left = middle;
      middle = right;
    }
    across[end] = left | middle;
  }
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const [above, below] = [y > 0 ? -width : 0, y < height - 1 ? width : 0];
    for (let at = y * width, end = at + width; at < end; at++)
      result[at] = (across[at + above]! | across[at]! | across[at + below]!) ^ flip;
  }
  return result;
}

/** Removes everything thinner than `2 * radius + 1` pixels: dust, scratches, hairlines. */
export function opened(mask: Mask, radius: number): Mask {
  return radius < 1 ? mask : spread(spread(mask, radius, false), radius, true);
}

/** Returns the regions of a mask; pixels at most `2 * gap` apart in both directions belong together. */
export function markRegions(mask: Mask, gap: number): Region[] {
  const { width, height, data } = mask;
  const labels = labelled(gap < 1 ? mask : spread(mask, gap, true));
  const regions = new Map<
    number,
    { left: number; top: number; right: number; bottom: number; area: number; outline: Point[] }
  >();
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (let y = 0; y < height; y++) {
    first.clear();
    last.clear();
    for (let x = 0, at = y * width; x < width; x++, at++) {
      // Only the ends of runs matter for the bounding box and the outline.
      if (data[at] !== 1 || (x > 0 && x < width - 1 && data[at - 1] === 1 && data[at + 1] === 1)) continue;
      const label = labels[at]!;
      if (!first.has(label)) first.set(label, x);
      last.set(label, x);
    }
    for (const [label, from] of first) {
      const to = last.get(label)! + 1;
      let region = regions.get(label);
      if (region === undefined)
        regions.set(label, (region = { left: from, top: y, right: to, bottom: y + 1, area: 0, outline: [] }));
      region.left = Math.min(region.left, from);
      region.right = Math.max(region.right, to);
      region.bottom = y + 1;
      region.area += to - from;
      region.outline.push({ x: from, y }, { x: to, y }, { x: from, y: y + 1 }, { x: to, y: y + 1 });
    }
  }
  return [...regions.values()];
}

/** Labels each marked pixel with the number of its region (8-connected), others with 0: union-find in two passes. */
function labelled({ width, height, data }: Mask): Int32Array {
  const labels = new Int32Array(data.length);
  const parents: number[] = [0];
  const rootOf = (label: number): number => {
    let root = label;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (data[at] !== 1) continue;
      let label = x > 0 ? labels[at - 1]! : 0;
      if (y > 0) {
        for (let above = Math.max(0, x - 1); above <= Math.min(width - 1, x + 1); above++) {
          const other = labels[(y - 1) * width + above]!;
          if (other === 0 || other === label) continue;
          if (label === 0) label = other;
          else parents[Math.max(rootOf(label), rootOf(other))] = Math.min(rootOf(label), rootOf(other));
        }
      }
      labels[at] = label === 0 ? parents.push(parents.length) - 1 : label;
    }
  }
  for (let at = 0; at < labels.length; at++) if (labels[at] !== 0) labels[at] = rootOf(labels[at]!);
  return labels;
}
