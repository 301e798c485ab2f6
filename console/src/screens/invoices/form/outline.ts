import type { Path } from '../data/places.ts';

/** The texts of an invoice that is written, by their places: `lines.0.item.name`; of an identifier `….value`. */
export type Texts = Readonly<Record<Path, string>>;

/** What texts by places say about the groups and lists around them. */
export interface Outline {
  /** Places with a text that is not empty, and all groups and lists around them. */
  readonly filled: ReadonlySet<Path>;
  /** Number of items by the place of the list, empty ones included. */
  readonly counts: ReadonlyMap<Path, number>;
}

export function outlineOf(texts: Texts): Outline {
  const filled = new Set<Path>();
  const counts = new Map<Path, number>();
  for (const [path, text] of Object.entries(texts)) {
    const isFilled = text.trim() !== '';
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      const place = path.slice(0, end);
      if (isFilled) filled.add(place);
      const [, list = '', at = ''] = /^(.+)\.(\d+)$/.exec(place) ?? [];
      if (list !== '') counts.set(list, Math.max(counts.get(list) ?? 0, Number(at) + 1));
    }
  }
  return { filled, counts };
}

/** The texts without an item of a list: those after it move up, and lines that were counted are counted again. */
export function withoutItem(texts: Texts, list: Path, at: number): Texts {
  const moved = Object.entries(texts).flatMap(([path, text]) => {
    const [, number = '-1', rest = ''] = path.startsWith(`${list}.`)
      ? (/^(\d+)(.*)$/.exec(path.slice(list.length + 1)) ?? [])
      : [];
    const item = Number(number);
    if (item < at) return [[path, text] as const];
    const isCount = rest === '.id' && text === String(item + 1);
    return item === at ? [] : [[`${list}.${item - 1}${rest}`, isCount ? String(item) : text] as const];
  });
  return Object.fromEntries(moved);
}

/** Indexes of the items with content, by list. Items without any are not sent. */
function filledItems({ filled }: Outline): ReadonlyMap<Path, readonly number[]> {
  const items = new Map<Path, number[]>();
  for (const place of filled) {
    const [, list = '', at = ''] = /^(.+)\.(\d+)$/.exec(place) ?? [];
    if (list === '') continue;
    const known = items.get(list);
    if (known === undefined) items.set(list, [Number(at)]);
    else known.push(Number(at));
  }
  for (const known of items.values()) known.sort((a, b) => a - b);
  return items;
}

/** An invoice that is sent, and where the form has what is at a place in it. */
export interface Sent {
  readonly invoice: Readonly<Record<string, unknown>>;
  readonly placeInForm: (path: Path) => Path;
}

/** The invoice as JSON of the semantic model: empty texts are left out, and groups and items without any others. */
export function invoiceOf(texts: Texts): Sent {
  const items = filledItems(outlineOf(texts));
  const root: Record<string, unknown> = {};
  const filled = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  for (const [path, text] of filled.sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })))
    enter(root, path, text.trim(), items);
  return { invoice: root, placeInForm: (path) => placeInForm(path, items) };
}

const isIndex = (key: string | undefined): boolean => /^\d+$/.test(key ?? '');

function enter(
  root: Record<string, unknown>,
  path: Path,
  text: string,
  items: ReadonlyMap<Path, readonly number[]>,
): void {
  const keys = path.split('.');
  let holder = root;
  for (const [i, key] of keys.entries()) {
    const list = keys.slice(0, i).join('.');
    const sent = isIndex(key) ? String(items.get(list)?.indexOf(Number(key)) ?? key) : key;
    if (i === keys.length - 1) holder[sent] = text;
    else holder = (holder[sent] ??= isIndex(keys[i + 1]) ? [] : {}) as Record<string, unknown>;
  }
}

function placeInForm(path: Path, items: ReadonlyMap<Path, readonly number[]>): Path {
  const found: string[] = [];
  for (const key of path.split('.'))
    found.push(isIndex(key) ? String(items.get(found.join('.'))?.[Number(key)] ?? key) : key);
  return found.join('.');
}
