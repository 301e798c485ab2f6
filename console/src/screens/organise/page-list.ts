/** A page of the result. `S` is a file that pages are taken from. */
export interface Item<S> {
  /** Of this entry, so that it is the same one wherever it is moved. */
  readonly id: number;
  /** Undefined for a blank page. */
  readonly source: S | undefined;
  /** 0-based, in its file. */
  readonly page: number;
  /** Clockwise quarter turns in addition to the page's own rotation. */
  readonly turns: number;
  /** Of a blank page, in points. */
  readonly size?: { readonly width: number; readonly height: number };
}

export type Items<S> = readonly Item<S>[];

let lastId = 0;

/** Returns an id that no other entry has. */
export function newId(): number {
  return ++lastId;
}

export function pagesOf<S>(source: S, pageCount: number): Items<S> {
  return Array.from({ length: pageCount }, (_, page) => ({ id: newId(), source, page, turns: 0 }));
}

/** Inserts entries before the one at `at`; at the end if there is none. */
export function inserted<S>(items: Items<S>, at: number, added: Items<S>): Items<S> {
  return [...items.slice(0, at), ...added, ...items.slice(at)];
}

/** Moves entries, in their order, to before the one that is at `to` now. */
export function moved<S>(items: Items<S>, ids: ReadonlySet<number>, to: number): Items<S> {
  const chosen = items.filter(({ id }) => ids.has(id));
  const before = items.slice(0, to).filter(({ id }) => !ids.has(id));
  const after = items.slice(to).filter(({ id }) => !ids.has(id));
  return [...before, ...chosen, ...after];
}

/** Moves entries by one place; at the edge they stay. */
export function movedBy<S>(items: Items<S>, ids: ReadonlySet<number>, by: number): Items<S> {
  const places = items.flatMap(({ id }, i) => (ids.has(id) ? [i] : []));
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const to = by < 0 ? Math.max(0, first + by) : Math.min(items.length, last + 1 + by);
  return moved(items, ids, to);
}

export function turned<S>(items: Items<S>, ids: ReadonlySet<number>, by: number): Items<S> {
  return items.map((item) => (ids.has(item.id) ? { ...item, turns: (((item.turns + by) % 4) + 4) % 4 } : item));
}

export function without<S>(items: Items<S>, ids: ReadonlySet<number>): Items<S> {
  return items.filter(({ id }) => !ids.has(id));
}

/** Adds a copy of every chosen entry after the last of them. */
export function duplicated<S>(
  items: Items<S>,
  ids: ReadonlySet<number>,
): { readonly items: Items<S>; readonly added: Items<S> } {
  const added = items.filter(({ id }) => ids.has(id)).map((item) => ({ ...item, id: newId() }));
  const last = items.findLastIndex(({ id }) => ids.has(id));
  return { items: inserted(items, last + 1, added), added };
}

/** The `pages` field of `general/assemble-pages`, with the files that it counts. */
export function toCall<S>(items: Items<S>): { readonly files: readonly S[]; readonly pages: string } {
  const files = [...new Set(items.flatMap(({ source }) => (source === undefined ? [] : [source])))];
  const pages = items.map(({ source, page, turns, size }) => {
    const rotate = turns === 0 ? {} : { rotate: turns * 90 };
    if (source !== undefined) return { file: files.indexOf(source) + 1, page: page + 1, ...rotate };
    // A blank page is turned by its sides.
    const { width, height } = size ?? { width: 595.28, height: 841.89 };
    return { blank: true, ...(turns % 2 === 0 ? { width, height } : { width: height, height: width }) };
  });
  return { files, pages: JSON.stringify(pages) };
}
