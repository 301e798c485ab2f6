import { endOfMarks, type Mask, nextPixel, spread } from './bit-mask.js';
import type { Point } from './smallest-rectangle.js';

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

/** Returns the regions of a mask; pixels at most `2 * gap` apart in both directions belong together. */
export function markRegions(mask: Mask, gap: number): Region[] {
  const { height } = mask;
  const runs = connectedRuns(gap < 1 ? mask : spread(mask, gap, true));
  const regions = new Map<number, Mutable<Region> & { outline: Point[] }>();
  const row = new Map<number, { from: number; to: number }>();
  for (let y = 0; y < height; y++) {
    row.clear();
    for (let run = runs.rows[y]!; run < runs.rows[y + 1]!; run++) {
      // A run of the grown mask may have nothing marked: only a row above or below grew into it.
      const from = nextPixel(mask, y, runs.starts[run]!, runs.ends[run]!, true);
      const to = endOfMarks(mask, y, from, runs.ends[run]!);
      if (from === to) continue;
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
function connectedRuns(mask: Mask): Runs {
  const { width, height } = mask;
  const [starts, ends, parents, rows]: [number[], number[], number[], number[]] = [[], [], [], [0]];
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  for (let y = 0, above = 0; y < height; y++) {
    for (let x = nextPixel(mask, y, 0, width, true); x < width; x = nextPixel(mask, y, x, width, true)) {
      starts.push(x);
      x = nextPixel(mask, y, x, width, false);
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
