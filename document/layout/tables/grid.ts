import { SNAP, type Line } from './join-lines.js';
import { type LineGroup, lowerBound, Sets } from './line-groups.js';

/** Places of one grid; a group of lines that needs more is a drawing. */
const MAX_PLACES = 1_000_000;
/** So much of a place's side must be drawn for it to be divided there. */
const DRAWN = 0.55;

/** A rectangle of places of a grid. */
export interface GridCell {
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly colSpan: number;
}

/** Lines as a grid. */
export interface Grid {
  /** Where its upright and level tracks are, one more than columns and rows. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /**
   * Rectangles that lines enclose; a side without a line is one at the edge of the grid where the lines beside it end.
   */
  readonly cells: readonly GridCell[];
}

/** Says whether something stands between two tracks, so that both must stay although they are near each other. */
export interface Between {
  readonly columns: (from: number, to: number) => boolean;
  readonly rows: (from: number, to: number) => boolean;
}

/**
 * Interprets a group of lines as a grid and finds its cells; undefined if it encloses nothing or has too many
 * positions.
 */
export function gridOf({ level, upright }: LineGroup, between: Between): Grid | undefined {
  const inner = { xs: tracks(upright, between.columns), ys: tracks(level, between.rows) };
  const xs = withOpenEnds(inner.xs, level, 2);
  const ys = withOpenEnds(inner.ys, upright, 3);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 1 || rows < 1 || columns * rows > MAX_PLACES) return undefined;
  // Sides of places: above row r (level), left of column c (upright).
  const above = drawnSides(level, ys, xs);
  const beside = drawnSides(upright, xs, ys);
  const regions = new Sets(columns * rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      if (c > 0 && beside[c * rows + r] === 0) regions.join(r * columns + c - 1, r * columns + c);
      if (r > 0 && above[r * columns + c] === 0) regions.join((r - 1) * columns + c, r * columns + c);
    }
  }
  const outside = openRegions(regions, above, beside, rows, columns);
  return { xs, ys, cells: rectangles(regions, outside, rows, columns) };
}

/** Where lines stand, those near each other taken together unless something stands between them. */
function tracks(lines: readonly Line[], between: (from: number, to: number) => boolean): number[] {
  const found: { at: number; weight: number }[] = [];
  for (const { at, from, to } of lines) {
    const last = found.at(-1);
    const weight = to - from;
    if (last !== undefined && (at - last.at <= SNAP || (at - last.at <= 2 * SNAP && !between(last.at, at)))) {
      last.at = (last.at * last.weight + at * weight) / (last.weight + weight);
      last.weight += weight;
    } else found.push({ at, weight });
  }
  return found.map(({ at }) => at);
}

/**
 * Adds a track where lines that cross the others end beyond the outermost of these: a table whose outer line is not
 * drawn. `enough` lines must end there.
 */
function withOpenEnds(tracks: readonly number[], crossing: readonly Line[], enough: number): number[] {
  if (tracks.length === 0) return [];
  const [first, last] = [tracks[0]!, tracks.at(-1)!];
  const before = commonEnd(
    crossing.map(({ from }) => first - from),
    enough,
  );
  const after = commonEnd(
    crossing.map(({ to }) => to - last),
    enough,
  );
  return [...(before === undefined ? [] : [first - before]), ...tracks, ...(after === undefined ? [] : [last + after])];
}

/** How far most lines that reach beyond go. */
function commonEnd(lengths: readonly number[], enough: number): number | undefined {
  const beyond = lengths.filter((length) => length > 3 * SNAP).sort((a, b) => b - a);
  let best: { readonly length: number; readonly count: number } | undefined;
  for (let start = 0; start < beyond.length;) {
    let end = start;
    while (end < beyond.length && beyond[start]! - beyond[end]! <= SNAP) end++;
    if (end - start >= enough && end - start > (best?.count ?? 0))
      best = { length: beyond[start]!, count: end - start };
    start = end;
  }
  return best?.length;
}

/** 1 for each side between neighbouring tracks along that is drawn on a track across, by track and then along. */
function drawnSides(lines: readonly Line[], across: readonly number[], along: readonly number[]): Uint8Array {
  const places = along.length - 1;
  const lengths = new Float32Array(across.length * places);
  for (const { at, from, to } of lines) {
    const track = nearest(across, at);
    for (let i = Math.max(0, lowerBound(along.length, (n) => along[n]!, from) - 1); i < places && along[i]! < to; i++) {
      lengths[track * places + i]! += Math.max(0, Math.min(to, along[i + 1]!) - Math.max(from, along[i]!));
    }
  }
  return Uint8Array.from(lengths, (length, i) =>
    length >= DRAWN * (along[(i % places) + 1]! - along[i % places]!) ? 1 : 0,
  );
}

function nearest(values: readonly number[], at: number): number {
  const next = lowerBound(values.length, (n) => values[n]!, at);
  return next > 0 && (next === values.length || at - values[next - 1]! < values[next]! - at) ? next - 1 : next;
}

/**
 * Regions that are open on two neighbouring sides, or above or below, are not part of the table. Bits: left 1, right 2,
 * top 4, bottom 8.
 */
function openRegions(regions: Sets, above: Uint8Array, beside: Uint8Array, rows: number, columns: number): Set<number> {
  const open = new Map<number, number>();
  const mark = (place: number, bit: number): void => {
    const root = regions.find(place);
    open.set(root, (open.get(root) ?? 0) | bit);
  };
  for (let r = 0; r < rows; r++) {
    if (beside[r] === 0) mark(r * columns, 1);
    if (beside[columns * rows + r] === 0) mark(r * columns + columns - 1, 2);
  }
  for (let c = 0; c < columns; c++) {
    if (above[c] === 0) mark(c, 4);
    if (above[rows * columns + c] === 0) mark((rows - 1) * columns + c, 8);
  }
  return new Set([...open].filter(([, sides]) => sides > 3 && sides !== 4 && sides !== 8).map(([root]) => root));
}

/**
 * Splits regions into rectangles that are as tall as possible from the top; most are rectangles already. Sorted by
 * rows.
 */
function rectangles(regions: Sets, outside: ReadonlySet<number>, rows: number, columns: number): GridCell[] {
  const cells: GridCell[] = [];
  const taken = new Uint8Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const place = r * columns + c;
      if (taken[place] === 1) continue;
      const root = regions.find(place);
      if (outside.has(root)) continue;
      let colSpan = 1;
      while (c + colSpan < columns && taken[place + colSpan] === 0 && regions.find(place + colSpan) === root) colSpan++;
      let rowSpan = 1;
      while (r + rowSpan < rows && rowOf(regions, root, (r + rowSpan) * columns + c, colSpan, columns)) rowSpan++;
      for (let y = 0; y < rowSpan; y++) taken.fill(1, (r + y) * columns + c, (r + y) * columns + c + colSpan);
      cells.push({ row: r, column: c, rowSpan, colSpan });
    }
  }
  return cells;
}

/** True when the region has exactly these places of a row: then the rectangle above goes on. */
function rowOf(regions: Sets, root: number, start: number, length: number, columns: number): boolean {
  for (let i = 0; i < length; i++) if (regions.find(start + i) !== root) return false;
  const column = start % columns;
  return (
    !(column > 0 && regions.find(start - 1) === root) &&
    !(column + length < columns && regions.find(start + length) === root)
  );
}
