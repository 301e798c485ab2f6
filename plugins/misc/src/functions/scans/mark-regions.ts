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
  const runs = connectedRuns(gap < 1 ? mask : spread(mask, gap, true));
  const regions = new Map<number, Mutable<Region> & { outline: Point[] }>();
  const row = new Map<number, { from: number; to: number }>();
  for (let y = 0; y < height; y++) {
    row.clear();
    const start = y * width;
    for (let run = runs.rows[y]!; run < runs.rows[y + 1]!; run++) {
      // A run of the grown mask may have nothing marked: only a row above or below grew into it.
      let [from, to] = [runs.starts[run]!, runs.ends[run]!];
      while (from < to && data[start + from] !== 1) from++;
      if (from === to) continue;
      while (data[start + to - 1] !== 1) to--;
      const known = row.get(runs.labels[run]!);
      if (known === undefined) row.set(runs.labels[run]!, { from, to });
      else known.to = to;
    }
    for (const [label, { from, to }] of row) {
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

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Runs of marked pixels of all rows, from `starts` to just before `ends`, with the number of their region. */
interface Runs {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly labels: readonly number[];
  /** Index of the first run of each row, and the number of runs. */
  readonly rows: readonly number[];
}

/** Finds the runs of marked pixels and which of them touch, also at corners: union-find. */
function connectedRuns({ width, height, data }: Mask): Runs {
  const [starts, ends, parents, rows]: [number[], number[], number[], number[]] = [[], [], [], [0]];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 0, above = 0; y < height; y++) {
    const start = y * width;
    for (let x = 0; x < width; x++) {
      if (data[start + x] !== 1) continue;
      starts.push(x);
      while (x < width && data[start + x] === 1) x++;
      ends.push(x);
      parents.push(parents.length);
    }
    const first = rows[y]!;
    let over = above;
    for (let run = first; run < starts.length; run++) {
      while (over < first && ends[over]! < starts[run]!) over++;
      for (let other = over; other < first && starts[other]! <= ends[run]!; other++) {
        const [one, two] = [rootOf(run), rootOf(other)];
        parents[Math.max(one, two)] = Math.min(one, two);
      }
    }
    above = first;
    rows.push(starts.length);
  }
  return { starts, ends, labels: parents.map((_parent, run) => rootOf(run)), rows };
}
