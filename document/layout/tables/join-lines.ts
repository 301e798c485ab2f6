import type { FilledArea, Ruling } from '../page-content.js';

/** A line of a table: drawn in one or many pieces, single or double, or an edge between areas. */
export interface Line {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Lines nearer to each other than this, in points, are one: double lines, the two sides of a frame, areas that touch.
 */
export const SNAP = 2.6;
/** A gap up to this does not part the pieces of a line. */
const GAP = 4;
/**
 * A piece up to this long may be a dash, with gaps beside it that are at most so long and so many times as long as the
 * dash.
 */
const DASH = 9;
const DASH_GAP = 6;
const DASH_RATIO = 4;
/** Shorter lines divide nothing. */
const SHORTEST = 4;

interface Piece extends Line {
  readonly horizontal: boolean;
}

/**
 * Joins the line segments of a page to whole lines, horizontal and vertical ones each sorted by position. O(n log n).
 */
export function joinLines(
  rulings: readonly Ruling[],
  fills: readonly FilledArea[],
): { readonly level: Line[]; readonly upright: Line[] } {
  const level: Piece[] = [];
  const upright: Piece[] = [];
  for (const { direction, at, from, to } of rulings) {
    const horizontal = direction === 'horizontal';
    (horizontal ? level : upright).push({ horizontal, at, from, to });
  }
  for (const {
    box: { left, top, right, bottom },
  } of fills) {
    level.push(
      { horizontal: true, at: top, from: left, to: right },
      { horizontal: true, at: bottom, from: left, to: right },
    );
    upright.push(
      { horizontal: false, at: left, from: top, to: bottom },
      { horizontal: false, at: right, from: top, to: bottom },
    );
  }
  return { level: join(level), upright: join(upright) };
}

function join(pieces: Piece[]): Line[] {
  pieces.sort((a, b) => a.at - b.at);
  const lines: Line[] = [];
  for (let start = 0; start < pieces.length;) {
    let end = start + 1;
    while (end < pieces.length && pieces[end]!.at - pieces[start]!.at <= SNAP) end++;
    joinOnLine(pieces.slice(start, end), lines);
    start = end;
  }
  return lines.sort((a, b) => a.at - b.at);
}

/** Joins pieces with about the same horizontal position. */
function joinOnLine(pieces: Piece[], lines: Line[]): void {
  pieces.sort((a, b) => a.from - b.from);
  let [from, to, weight, sum] = [0, -Infinity, 0, 0];
  const finish = (): void => {
    if (to - from >= SHORTEST) lines.push({ at: sum / weight, from, to });
  };
  let last = 0;
  for (const piece of pieces) {
    const length = piece.to - piece.from;
    if (!goesOn(piece.from - to, last, length)) {
      finish();
      [from, to, weight, sum, last] = [piece.from, -Infinity, 0, 0, 0];
    }
    // The length of the dash that the line ends with.
    if (piece.to >= to) last = length;
    to = Math.max(to, piece.to);
    weight += length;
    sum += piece.at * length;
  }
  finish();
}

function goesOn(gap: number, before: number, after: number): boolean {
  if (gap <= GAP) return gap <= DASH_RATIO * Math.max(before, after) || gap <= 1;
  return gap <= DASH_GAP && Math.max(before, after) <= DASH && gap <= DASH_RATIO * Math.max(before, after);
}
