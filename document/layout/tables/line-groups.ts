import type { Line } from './join-lines.js';

/** Lines that are connected because they cross or meet. */
export interface LineGroup {
  readonly level: readonly Line[];
  readonly upright: readonly Line[];
}

/** Lines that end so near to each other meet. */
const MEETS = 4;
/** Pairs of lines that are looked at on one page; a page that needs more is a drawing. */
const MAX_PAIRS = 20_000_000;

/** A forest of sets; each number is in one. */
export class Sets {
  readonly #above: Int32Array;

  constructor(size: number) {
    this.#above = Int32Array.from({ length: size }, (_, i) => i);
  }

  find(one: number): number {
    const above = this.#above;
    let root = one;
    while (above[root] !== root) root = above[root]!;
    for (let i = one; i !== root;) {
      const next = above[i]!;
      above[i] = root;
      i = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x !== y) this.#above[Math.max(x, y)] = Math.min(x, y);
  }
}

/** Index of the first of `count` growing values that is not less than `least`; `count` when all are. */
export function lowerBound(count: number, valueAt: (index: number) => number, least: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Parts lines, sorted by where they stand, into groups that could be tables: at least two of each direction. None where
 * there are too many to look at.
 */
export function lineGroups(level: readonly Line[], upright: readonly Line[]): LineGroup[] {
  const sets = new Sets(level.length + upright.length);
  let pairs = 0;
  for (const [j, line] of upright.entries()) {
    for (
      let i = lowerBound(level.length, (n) => level[n]!.at, line.from - MEETS);
      i < level.length && level[i]!.at <= line.to + MEETS;
      i++
    ) {
      if (++pairs > MAX_PAIRS) return [];
      if (level[i]!.from - MEETS <= line.at && line.at <= level[i]!.to + MEETS) sets.join(i, level.length + j);
    }
  }
  const groups = new Map<number, { level: Line[]; upright: Line[] }>();
  const groupOf = (root: number) => {
    let group = groups.get(root);
    if (group === undefined) groups.set(root, (group = { level: [], upright: [] }));
    return group;
  };
  for (const [i, line] of level.entries()) groupOf(sets.find(i)).level.push(line);
  for (const [j, line] of upright.entries()) groupOf(sets.find(level.length + j)).upright.push(line);
  return [...groups.values()].filter((group) => group.level.length >= 2 && group.upright.length >= 1);
}
