import { InputError } from '@quire/registry/errors';

/** Presets of `rearrange-pages` (`docs/interface/general.yml`). */
export const orderModes = [
  'CUSTOM',
  'REVERSE_ORDER',
  'DUPLEX_SORT',
  'BOOKLET_SORT',
  'SIDE_STITCH_BOOKLET_SORT',
  'ODD_EVEN_SPLIT',
  'REMOVE_FIRST',
  'REMOVE_LAST',
  'REMOVE_FIRST_AND_LAST',
  'DUPLICATE',
] as const;
export type OrderMode = (typeof orderModes)[number];

export interface OrderRequest {
  readonly mode: OrderMode;
  /** The field as it was sent: the repeat count of DUPLICATE. */
  readonly pageNumbers: string;
  /** Parses it as a page expression, for CUSTOM: 0-based indexes. */
  readonly select: (pageCount: number) => readonly number[];
  /** Maximum number of pages in the result. */
  readonly maxPages: number;
}

/**
 * Returns the 0-based indexes of a document's pages in their new order: pages that are not listed are removed, pages
 * listed several times are repeated. Throws the errors of `select`; PAGES_NONE_LEFT; INPUT_INVALID for a repeat count
 * above max(100, 3 times the pages) or more than `maxPages` pages.
 */
export function pageOrder(request: OrderRequest, pageCount: number): number[] {
  const order = orderOf(request, pageCount);
  if (order.length === 0) {
    const { mode } = request;
    throw new InputError('PAGES_NONE_LEFT', { field: 'customMode', found: mode }, [
      { pointer: '/customMode', detail: `"${mode}" leaves none of ${pageCount} page(s)` },
    ]);
  }
  return order;
}

function orderOf(request: OrderRequest, n: number): number[] {
  const all = Array.from({ length: n }, (_unused, i) => i);
  switch (request.mode) {
    case 'REVERSE_ORDER':
      return all.reverse();
    case 'DUPLEX_SORT':
      return [...pairs(n), ...(n % 2 === 1 ? [(n - 1) / 2] : [])];
    case 'BOOKLET_SORT':
      // Existing clients expect the middle page of an odd count to be dropped.
      return pairs(n);
    case 'SIDE_STITCH_BOOKLET_SORT':
      return sideStitched(n);
    case 'ODD_EVEN_SPLIT':
      return [...all.filter((i) => i % 2 === 0), ...all.filter((i) => i % 2 === 1)];
    case 'REMOVE_FIRST':
      return all.slice(1);
    case 'REMOVE_LAST':
      return all.slice(0, -1);
    case 'REMOVE_FIRST_AND_LAST':
      return all.slice(1, -1);
    case 'DUPLICATE': {
      const times = repeatCount(request, n);
      return all.flatMap((i) => Array.from({ length: times }, () => i));
    }
    case 'CUSTOM':
      return [...request.select(n)];
  }
}

/** First and last, second and second to last, and so on. */
function pairs(n: number): number[] {
  return Array.from({ length: Math.floor(n / 2) }, (_unused, i) => [i, n - 1 - i]).flat();
}

/** Each four pages in the order 4, 1, 2, 3; positions past the end repeat the last page. */
function sideStitched(n: number): number[] {
  return Array.from({ length: Math.ceil(n / 4) }, (_unused, group) =>
    [3, 0, 1, 2].map((i) => Math.min(group * 4 + i, n - 1)),
  ).flat();
}

/** Two if the field is not a whole number of at least 1. */
function repeatCount({ pageNumbers, maxPages }: OrderRequest, n: number): number {
  const found = pageNumbers.trim();
  const count = /^\+?\d+$/.test(found) ? Number(found) : 2;
  const most = Math.max(100, 3 * n);
  const shown = found.slice(0, 20);
  if (count > most)
    throw refused(`must be a repeat count of at most ${most} for a document of ${n} pages; found ${shown}`);
  const times = count < 1 ? 2 : count;
  if (times * n > maxPages) throw refused(`${times} times ${n} pages is more than the limit of ${maxPages} pages`);
  return times;
}

function refused(detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `"pageNumbers" ${detail}` }, [{ pointer: '/pageNumbers', detail }]);
}
