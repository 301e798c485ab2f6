import { kindOf } from './kinds.js';

/** A line, or a part of it beside a wide gap: its place along the writing and across it, and its letters as seen. */
export interface SeenLine {
  readonly from: number;
  readonly to: number;
  /** Grows from line to line. */
  readonly across: number;
  readonly size: number;
  readonly seen: readonly string[];
  /** True with letters from the right. */
  readonly mixed: boolean;
}

/** Lines before and after one that show the edges of its column. */
const AROUND = 12;
/** So many lines above and below one another are a column; fewer are compared with all others. */
const COLUMN = 3;
/** An edge is reached up to this distance, and left free from the second on, in sizes. */
const [AT_EDGE, FREE] = [0.8, 2];
/** Base lines of one paragraph are at most so many sizes apart. */
const LEADING = 1.9;
const ENDS = /^[.,:;!?\u060c\u061b\u061f\u06d4\u2026]$/;

/**
 * For each line, true if its paragraph is written from right to left. No line of a PDF says so: what counts are the
 * edge at which it begins, the side on which its sentence ends, the letters at both ends, and what most letters are. A
 * line that fills its column decides together with the next one. `prefers`: the document's language is right-to-left.
 */
export function baseDirections(lines: readonly SeenLine[], prefers: boolean | undefined): boolean[] {
  const edges = lines.map((line, i) => (line.mixed ? edgesOf(lines, i) : undefined));
  const scores = lines.map((line, i) => (line.mixed ? score(line, edges[i]!) : 0));
  const out = lines.map(() => false);
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && continues(lines[to - 1]!, edges[to - 1], lines[to]!)) to++;
    const sum = scores.slice(from, to).reduce((all, one) => all + one, 0) + (prefers === true ? 1 : 0);
    out.fill(sum > 0, from, to);
    from = to;
  }
  return out;
}

interface Edges {
  /** Distances to the edges of the column, in sizes. */
  readonly left: number;
  readonly right: number;
}

function edgesOf(lines: readonly SeenLine[], i: number): Edges {
  const line = lines[i]!;
  const near = lines.slice(Math.max(0, i - AROUND), i + AROUND + 1);
  const column = near.filter(({ from, to }) => from < line.to && to > line.from);
  const others = column.length > COLUMN ? column : near;
  const size = line.size || 1;
  return {
    left: (line.from - Math.min(...others.map(({ from }) => from))) / size,
    right: (Math.max(...others.map(({ to }) => to)) - line.to) / size,
  };
}

function score({ seen }: SeenLine, { left, right }: Edges): number {
  const letters = seen.map(kindOf).filter((kind) => kind === 'left' || kind === 'hebrew' || kind === 'arabic');
  const share = letters.filter((kind) => kind !== 'left').length / letters.length;
  let sum = share === 1 ? 3 : share > 0.5 ? 1 : share < 0.2 ? -2 : -1;
  const [first, last] = [letters[0] === 'left', letters.at(-1) === 'left'];
  if (first === last) sum += first ? -1.5 : 1.5;
  if (left < AT_EDGE && right > FREE) sum -= 2;
  if (right < AT_EDGE && left > FREE) sum += 2;
  const [startsWithEnd, endsWithEnd] = [ENDS.test(seen[0] ?? ''), ENDS.test(seen.at(-1) ?? '')];
  if (startsWithEnd !== endsWithEnd) sum += startsWithEnd ? 2 : -2;
  return sum;
}

/** True where a line that fills its column is followed by the next one of the same paragraph. */
function continues(line: SeenLine, edges: Edges | undefined, next: SeenLine): boolean {
  if (edges === undefined || !next.mixed || edges.left > AT_EDGE || edges.right > AT_EDGE) return false;
  const step = (next.across - line.across) / (line.size || 1);
  return step > 0.5 && step < LEADING && Math.abs(line.size - next.size) < 0.1 * line.size;
}
