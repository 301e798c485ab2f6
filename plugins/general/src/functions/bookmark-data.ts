/**
 * A bookmark in JSON: `extract-bookmarks` returns it and `edit-table-of-contents` accepts it. `pageNumber` counts from
 * 1.
 */
export interface Bookmark {
  readonly title: string;
  readonly pageNumber: number;
  readonly children: readonly Bookmark[];
}

/** The same limits apply when a document's bookmarks are read. */
const MAX_BOOKMARKS = 100_000;
const MAX_DEPTH = 200;
const MEMBERS = ['title', 'pageNumber', 'children'];

/**
 * Parses the field `bookmarkData` (`docs/interface/general.yml`, edit-table-of-contents): a JSON array of bookmarks.
 * `children`, `title` and `pageNumber` may be absent or null (no children, empty, first page); unknown members are
 * ignored, unless they stand in for the title. `withoutPage` is called with the title of each bookmark without a page.
 * Returns an error text with the position if the field is invalid.
 */
export function parseBookmarks(text: string, withoutPage?: (title: string) => void): Bookmark[] | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'must be JSON: a list of {"title", "pageNumber", "children"}';
  }
  let count = 0;
  const bookmarks: Bookmark[] = [];
  // A queue instead of recursion, so that deep nesting reaches the limit below and not a stack overflow.
  const waiting: { readonly found: unknown; readonly into: Bookmark[]; readonly at: string; readonly depth: number }[] =
    [{ found: data, into: bookmarks, at: '', depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { found, into, at, depth } = next;
    if (!Array.isArray(found)) return `${at === '' ? 'the value' : at} must be a list of bookmarks`;
    if (depth > MAX_DEPTH && found.length > 0) return `bookmarks may be nested at most ${MAX_DEPTH} levels deep`;
    count += found.length;
    if (count > MAX_BOOKMARKS) return `there may be at most ${MAX_BOOKMARKS} bookmarks`;
    for (const [i, one] of (found as unknown[]).entries()) {
      const read = bookmarkOf(one, `${at}/${i}`);
      if (typeof read === 'string') return read;
      if (!read.hasPage) withoutPage?.(read.title);
      const children: Bookmark[] = [];
      into.push({ title: read.title, pageNumber: read.pageNumber, children });
      if (read.children !== undefined)
        waiting.push({ found: read.children, into: children, at: `${at}/${i}/children`, depth: depth + 1 });
    }
  }
  return bookmarks;
}

function bookmarkOf(
  value: unknown,
  at: string,
):
  | { readonly title: string; readonly pageNumber: number; readonly hasPage: boolean; readonly children: unknown }
  | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${at} must be an object with "title", "pageNumber" and "children"`;
  const { title, pageNumber, children } = value as {
    readonly title?: unknown;
    readonly pageNumber?: unknown;
    readonly children?: unknown;
  };
  if (!['string', 'number', 'boolean', 'undefined'].includes(typeof title) && title !== null)
    return `${at}/title must be text`;
  const others = Object.keys(value).filter((name) => !MEMBERS.includes(name));
  if ((title ?? undefined) === undefined && others.length > 0)
    return `${at} has no "title" (it has ${others
      .slice(0, 3)
      .map((name) => JSON.stringify(name.slice(0, 50)))
      .join(', ')})`;
  const page =
    typeof pageNumber === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(pageNumber) ? Number(pageNumber) : (pageNumber ?? 1);
  if (typeof page !== 'number' || !Number.isInteger(page)) return `${at}/pageNumber must be a whole number`;
  return {
    title: String(title ?? ''),
    pageNumber: page,
    hasPage: (pageNumber ?? undefined) !== undefined,
    children: children ?? undefined,
  };
}
