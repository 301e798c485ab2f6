/** Longest expression that the server accepts. */
const LONGEST = 10_000;

/** Writes pages (0-based, any order) in the page syntax, as short as it can: `all`, `2n`, `1,3,5-9`. */
export function expressionOf(pages: Iterable<number>, pageCount: number): string {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  if (sorted.length === 0) return '';
  if (sorted.length === pageCount) return 'all';
  if (pageCount > 3 && isEvery(sorted, 0, pageCount)) return '2n-1';
  if (pageCount > 3 && isEvery(sorted, 1, pageCount)) return '2n';
  return rangesOf(sorted);
}

/** Writes pages in this order: `3,1,5-9`. */
export function orderOf(pages: readonly number[]): string {
  return rangesOf(pages);
}

/** Whether an expression is too long to be sent. */
export function isTooLong(expression: string): boolean {
  return expression.length > LONGEST;
}

/** Every second page, beginning with `first`. */
function isEvery(sorted: readonly number[], first: number, pageCount: number): boolean {
  return sorted.length === Math.ceil((pageCount - first) / 2) && sorted.every((page) => page % 2 === first);
}

function rangesOf(pages: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < pages.length;) {
    let end = i;
    while (end + 1 < pages.length && pages[end + 1] === (pages[end] ?? 0) + 1) end++;
    const [first, last] = [(pages[i] ?? 0) + 1, (pages[end] ?? 0) + 1];
    if (end - i >= 2) parts.push(`${first}-${last}`);
    else for (let at = i; at <= end; at++) parts.push(String((pages[at] ?? 0) + 1));
    i = end + 1;
  }
  return parts.join(',');
}
