/**
 * A bookmark on the wire: what `extract-bookmarks` answers and `edit-table-of-contents` takes. `pageNumber` counts from
 * 1.
 */
export interface Bookmark {
  readonly title: string;
  readonly pageNumber: number;
  readonly children: readonly Bookmark[];
}

/** As many and as deep as a document's bookmarks are read. */
const MAX_BOOKMARKS = 100_000;
const MAX_DEPTH = 200;

/**
 * Reads the field `bookmarkData` (`docs/interface/general.yml`, edit-table-of-contents): a JSON array of bookmarks.
 * `children` may be absent or null, `title` and `pageNumber` too (empty, first page); unknown members are ignored.
 * Gives what is wrong, with where, as text when it is none.
 */
export function parseBookmarks(text: string): Bookmark[] | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'must be JSON: a list of {"title", "pageNumber", "children"}';
  }
  let count = 0;
  const bookmarks: Bookmark[] = [];
  // A list of lists still to read, so that what is nested without end ends here and not in the stack.
  const waiting: { readonly found: unknown; readonly into: Bookmark[]; readonly at: string; readonly depth: number }[] =
    [{ found: data, into: bookmarks, at: '', depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { found, into, at, depth } = next;
    if (!Array.isArray(found)) return `${at === '' ? 'the value' : at} must be a list of bookmarks`;
    if (depth > MAX_DEPTH && found.length > 0) return `bookmarks may be at most ${MAX_DEPTH} deep`;
    count += found.length;
    if (count > MAX_BOOKMARKS) return `at most ${MAX_BOOKMARKS} bookmarks are taken`;
    for (const [i, one] of (found as unknown[]).entries()) {
      const read = bookmarkOf(one, `${at}/${i}`);
      if (typeof read === 'string') return read;
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
): { readonly title: string; readonly pageNumber: number; readonly children: unknown } | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${at} must be an object with "title", "pageNumber" and "children"`;
  const { title, pageNumber, children } = value as {
    readonly title?: unknown;
    readonly pageNumber?: unknown;
    readonly children?: unknown;
  };
  if (!['string', 'number', 'boolean', 'undefined'].includes(typeof title) && title !== null)
    return `${at}/title must be text`;
  const page =
    typeof pageNumber === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(pageNumber) ? Number(pageNumber) : (pageNumber ?? 1);
  if (typeof page !== 'number' || !Number.isInteger(page)) return `${at}/pageNumber must be a whole number`;
  return { title: String(title ?? ''), pageNumber: page, children: children ?? undefined };
}
