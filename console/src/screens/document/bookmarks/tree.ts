/** A bookmark as the server reads and writes it. */
export interface Bookmark {
  readonly title: string;
  /** Counted from 1. */
  readonly pageNumber: number;
  readonly children: readonly Bookmark[];
}

/** A bookmark in a list that is a tree by its depths: those below it follow it. */
export interface Entry {
  readonly id: number;
  readonly title: string;
  /** Counted from 1. */
  readonly page: number;
  readonly depth: number;
}

export type Entries = readonly Entry[];
export type Place = 'before' | 'after' | 'into';

let lastId = 0;

function newEntry(title: string, page: number, depth: number): Entry {
  return { id: ++lastId, title, page, depth };
}

export function fromTree(bookmarks: readonly Bookmark[], depth = 0): Entries {
  return bookmarks.flatMap(({ title, pageNumber, children }) => [
    newEntry(title, pageNumber, depth),
    ...fromTree(children, depth + 1),
  ]);
}

export function toTree(entries: Entries): readonly Bookmark[] {
  const roots: Bookmark[] = [];
  const open: { readonly depth: number; readonly children: Bookmark[] }[] = [{ depth: -1, children: roots }];
  for (const { title, page, depth } of entries) {
    while (open.at(-1)!.depth >= depth) open.pop();
    const children: Bookmark[] = [];
    open.at(-1)!.children.push({ title, pageNumber: page, children });
    open.push({ depth, children });
  }
  return roots;
}

/** The end of a bookmark with all below it: the index of the next one that is not. */
function endOf(entries: Entries, at: number): number {
  const depth = entries[at]?.depth ?? 0;
  const next = entries.findIndex((entry, i) => i > at && entry.depth <= depth);
  return next < 0 ? entries.length : next;
}

/** The index of the bookmark before it on its level, below the same one; -1 if it is the first. */
function previousOf(entries: Entries, at: number): number {
  const depth = entries[at]?.depth ?? 0;
  for (let i = at - 1; i >= 0; i--) {
    const before = entries[i]!.depth;
    if (before === depth) return i;
    if (before < depth) return -1;
  }
  return -1;
}

/** The index of the bookmark that it is below; -1 on the top level. */
function parentOf(entries: Entries, at: number): number {
  const depth = entries[at]?.depth ?? 0;
  return entries.findLastIndex((entry, i) => i < at && entry.depth < depth);
}

/** Adds a bookmark behind the one with this id and those below it, on its level; else in the order of the pages. */
export function added(entries: Entries, after: number | undefined, title: string, page: number): Entries {
  const at = entries.findIndex(({ id }) => id === after);
  const last = entries.findLastIndex((entry) => entry.depth === 0 && entry.page <= page);
  const behind = at >= 0 ? at : last;
  const place = behind < 0 ? 0 : endOf(entries, behind);
  return entries.toSpliced(place, 0, newEntry(title, page, entries[at]?.depth ?? 0));
}

export function changed(entries: Entries, id: number, values: Partial<Pick<Entry, 'title' | 'page'>>): Entries {
  return entries.map((entry) => (entry.id === id ? { ...entry, ...values } : entry));
}

/** Removes a bookmark with all below it. */
export function removed(entries: Entries, id: number): Entries {
  const at = entries.findIndex((entry) => entry.id === id);
  return at < 0 ? entries : entries.toSpliced(at, endOf(entries, at) - at);
}

export type Step = 'up' | 'down' | 'in' | 'out';

/** Moves a bookmark with all below it by one step; the same list if it cannot be moved so. */
export function moved(entries: Entries, id: number, step: Step): Entries {
  const at = entries.findIndex((entry) => entry.id === id);
  if (at < 0) return entries;
  const end = endOf(entries, at);
  const [previous, parent] = [previousOf(entries, at), parentOf(entries, at)];
  if (step === 'up') return previous < 0 ? entries : transferred(entries, at, previous, 0);
  if (step === 'down')
    return entries[end]?.depth === entries[at]!.depth ? transferred(entries, at, endOf(entries, end), 0) : entries;
  if (step === 'in') return previous < 0 ? entries : transferred(entries, at, at, 1);
  return parent < 0 ? entries : transferred(entries, at, endOf(entries, parent), -1);
}

/** Moves a bookmark with all below it before, behind or into another one. */
export function placed(entries: Entries, id: number, target: number, place: Place): Entries {
  const at = entries.findIndex((entry) => entry.id === id);
  const to = entries.findIndex((entry) => entry.id === target);
  if (at < 0 || to < 0 || (to >= at && to < endOf(entries, at))) return entries;
  const by = entries[to]!.depth - entries[at]!.depth;
  if (place === 'before') return transferred(entries, at, to, by);
  if (place === 'into') return transferred(entries, at, to + 1, by + 1);
  return transferred(entries, at, endOf(entries, to), by);
}

/** Moves the bookmark at `at` with all below it to before the one that is at `to` now, and changes its depth. */
function transferred(entries: Entries, at: number, to: number, by: number): Entries {
  const count = endOf(entries, at) - at;
  const chosen = entries.slice(at, at + count).map((entry) => ({ ...entry, depth: entry.depth + by }));
  const rest = entries.toSpliced(at, count);
  return rest.toSpliced(to > at ? to - count : to, 0, ...chosen);
}
