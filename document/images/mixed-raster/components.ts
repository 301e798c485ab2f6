import type { Plane } from './plane.js';

/** Text has fewer runs; an image with more is a texture, and reading it would take memory. */
const MAX_RUNS = 4_000_000;

/** Connected marks: runs of pixels row by row, each with the number of the mark that it belongs to. */
export interface Components {
  readonly count: number;
  /** Index of the first run of each row; one more at the end. */
  readonly rows: Int32Array;
  /** First pixel of each run, and the pixel after the last. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** From 0 to `count - 1`. */
  readonly labels: Int32Array;
}

/** Finds the marks of a plane of zeros and ones, connected in eight directions; undefined for a texture. */
export function findComponents({ width, height, data }: Plane): Components | undefined {
  const found = findRuns(width, height, data);
  if (found === undefined) return undefined;
  const { rows, starts, ends } = found;
  const parents = new Int32Array(starts.length).map((_none, i) => i);
  for (let y = 1; y < height; y++) joinRows(found, y, parents);
  const labels = new Int32Array(starts.length);
  let count = 0;
  // A root is the first run of its mark, so that its number is known before it is asked for.
  for (let run = 0; run < labels.length; run++) {
    const root = rootOf(parents, run);
    labels[run] = root === run ? count++ : labels[root]!;
  }
  return { count, rows, starts, ends, labels };
}

type Runs = Pick<Components, 'rows' | 'starts' | 'ends'>;

function findRuns(width: number, height: number, data: Uint8Array): Runs | undefined {
  const rows = new Int32Array(height + 1);
  let count = 0;
  for (let i = 0; i < data.length; i++) if (data[i] === 1 && (i % width === 0 || data[i - 1] === 0)) count++;
  if (count > MAX_RUNS) return undefined;
  const [starts, ends] = [new Int32Array(count), new Int32Array(count)];
  let run = 0;
  for (let y = 0; y < height; y++) {
    rows[y] = run;
    const from = y * width;
    for (let x = 0; x < width; x++) {
      if (data[from + x] === 0) continue;
      starts[run] = x;
      while (x < width && data[from + x] === 1) x++;
      ends[run++] = x;
    }
  }
  rows[height] = run;
  return { rows, starts, ends };
}

/** Joins the runs of a row with those above that they touch. */
function joinRows({ rows, starts, ends }: Runs, y: number, parents: Int32Array): void {
  let above = rows[y - 1]!;
  const aboveEnd = rows[y]!;
  for (let run = rows[y]!; run < rows[y + 1]!; run++) {
    while (above < aboveEnd && ends[above]! < starts[run]!) above++;
    for (let other = above; other < aboveEnd && starts[other]! <= ends[run]!; other++) {
      const [a, b] = [rootOf(parents, run), rootOf(parents, other)];
      if (a < b) parents[b] = a;
      else parents[a] = b;
    }
  }
}

function rootOf(parents: Int32Array, of: number): number {
  let run = of;
  while (parents[run] !== run) {
    parents[run] = parents[parents[run]!]!;
    run = parents[run]!;
  }
  return run;
}
