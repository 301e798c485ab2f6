import type { Word } from '../page-content.js';
import { type Line, lineOf } from './line.js';
import { type Piece, piecesOf } from './pieces.js';

/** Most pieces of one page among which columns are searched; readable pages have fewer. */
const MAX_PIECES = 20_000;
/** Neighbours that are looked at for each. */
const NEIGHBOURS = 400;
/**
 * Space between columns: so many gaps below one another, so wide (points), with so many letters on either side of each
 * on the average.
 */
const LEAST_GAPS = 3;
const LEAST_WIDTH = 4;
const LEAST_LETTERS = 11;
/** Base lines so near (in sizes) are one. */
const LEVEL = 0.35;

interface Gap {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** White space that goes down between pieces. */
interface River {
  from: number;
  to: number;
  bottom: number;
  readonly gaps: Gap[];
}

/** White space between columns of prose, as far down as there is text on both sides. */
export interface Gutter {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
  /** Edges of the text on both sides. */
  readonly left: number;
  readonly right: number;
}

/** Lines by their upper edges, and what parts them into columns. */
export interface FoundLines {
  readonly lines: Line[];
  readonly gutters: readonly Gutter[];
}

/** Joins words to lines; columns stay apart. */
export function linesOf(words: readonly Word[]): FoundLines {
  const order = new Map(words.map((word, i) => [word, i]));
  const pieces = piecesOf(words).sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
  const gaps = gapsOf(pieces);
  const rivers = pieces.length > MAX_PIECES ? [] : columnRivers(gaps, pieces);
  const parted = new Set(rivers.flatMap((river) => river.gaps));
  const root = pieces.map((_, i) => i);
  const find = (i: number): number => {
    while (root[i] !== i) i = root[i] = root[root[i]!]!;
    return i;
  };
  for (const gap of gaps) {
    const [left, right] = [pieces[gap.left]!, pieces[gap.right]!];
    if (parted.has(gap) || Math.abs(left.baseline - right.baseline) > LEVEL * Math.min(left.size, right.size)) continue;
    root[find(gap.right)] = find(gap.left);
  }
  const groups = new Map<number, Word[]>();
  for (const [i, piece] of pieces.entries()) {
    const to = find(i);
    const group = groups.get(to);
    if (group === undefined) groups.set(to, [...piece.words]);
    else for (const word of piece.words) group.push(word);
  }
  const lines = [...groups.values()]
    .map((group) => lineOf(group, order))
    .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
  const gutters = rivers.map(({ from, to, bottom, gaps: own }): Gutter => ({
    from,
    to,
    bottom,
    top: own[0]!.top,
    left: Math.min(...own.map((gap) => pieces[gap.left]!.box.left)),
    right: Math.max(...own.map((gap) => pieces[gap.right]!.box.right)),
  }));
  return { lines, gutters };
}

/** For each piece the gap to its nearest neighbour on the right. */
function gapsOf(pieces: readonly Piece[]): Gap[] {
  const gaps: Gap[] = [];
  const tallest = pieces.reduce((most, { box }) => Math.max(most, box.bottom - box.top), 0);
  for (const [i, { box }] of pieces.entries()) {
    let nearest = -1;
    const look = (j: number): void => {
      const other = pieces[j]!.box;
      const beside = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (other.left < box.right - 1 || beside < 0.5 * Math.min(box.bottom - box.top, other.bottom - other.top)) return;
      if (nearest < 0 || other.left < pieces[nearest]!.box.left) nearest = j;
    };
    for (let j = i + 1; j < Math.min(pieces.length, i + NEIGHBOURS) && pieces[j]!.box.top < box.bottom; j++) look(j);
    for (let j = i - 1; j > Math.max(-1, i - NEIGHBOURS) && pieces[j]!.box.top > box.top - tallest; j--) look(j);
    if (nearest < 0) continue;
    const other = pieces[nearest]!.box;
    gaps.push({
      from: box.right,
      to: other.left,
      top: Math.max(box.top, other.top),
      bottom: Math.min(box.bottom, other.bottom),
      left: i,
      right: nearest,
    });
  }
  return gaps.sort((a, b) => a.top - b.top || a.from - b.from);
}

/** The white space between columns. */
function columnRivers(gaps: readonly Gap[], pieces: readonly Piece[]): River[] {
  const rivers: River[] = [];
  let active: River[] = [];
  for (const gap of gaps) {
    const size = Math.max(pieces[gap.left]!.size, 1);
    active = active.filter(({ bottom }) => gap.top - bottom < 6 * size).slice(-200);
    let best: River | undefined;
    let wide = Math.max(LEAST_WIDTH, 0.4 * size);
    for (const river of active) {
      const width = Math.min(river.to, gap.to) - Math.max(river.from, gap.from);
      if (
        width >= wide &&
        !isCrossed(pieces, Math.max(river.from, gap.from), Math.min(river.to, gap.to), river.bottom, gap.top)
      )
        [best, wide] = [river, width];
    }
    if (best === undefined) {
      const river = { from: gap.from, to: gap.to, bottom: gap.bottom, gaps: [gap] };
      if (gap.to - gap.from >= wide) {
        rivers.push(river);
        active.push(river);
      }
      continue;
    }
    best.gaps.push(gap);
    best.from = Math.max(best.from, gap.from);
    best.to = Math.min(best.to, gap.to);
    best.bottom = Math.max(best.bottom, gap.bottom);
  }
  return rivers.filter(({ gaps: own }) => {
    const letters = (side: 'left' | 'right'): number =>
      own.reduce((sum, gap) => sum + pieces[gap[side]]!.letters, 0) / own.length;
    return own.length >= LEAST_GAPS && letters('left') >= LEAST_LETTERS && letters('right') >= LEAST_LETTERS;
  });
}

/** True where a piece lies across this part of the page. Pieces are sorted by their upper edges. */
function isCrossed(pieces: readonly Piece[], from: number, to: number, top: number, bottom: number): boolean {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.box.top < top - 2) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < Math.min(pieces.length, low + NEIGHBOURS) && pieces[i]!.box.top < bottom - 2; i++) {
    const { box } = pieces[i]!;
    if (box.left < to - 1 && box.right > from + 1 && box.bottom < bottom + 2) return true;
  }
  return false;
}
