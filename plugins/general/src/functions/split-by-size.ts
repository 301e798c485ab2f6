import { guardDocument, withPdf } from '@quire/document/file/open';
import { extractToFile, measureExtract, SplitSource } from '@quire/document/structure/split';

/** How parts are formed (`docs/interface/general.yml`, split-by-size-or-count). */
export type PartRule =
  /** As many pages as fit into this many bytes; a larger page becomes its own part. */
  | { readonly by: 'bytes'; readonly limit: number }
  /** This many pages each; the last part has the rest. */
  | { readonly by: 'pages'; readonly count: number }
  /** This many parts whose page counts differ by at most one, the larger first; never more parts than pages. */
  | { readonly by: 'parts'; readonly count: number };

export interface PartOptions {
  readonly modified?: Date;
  /**
   * Called after each part with its path, its number from 1, and the number of finished pages and of all pages; an
   * error that it throws stops the split.
   */
  readonly onPart: (path: string, n: number, pagesDone: number, pages: number) => void | Promise<void>;
  /** Called before each measurement; an error that it throws stops the split. */
  readonly onMeasure?: () => void;
}

/**
 * Splits a document into parts in page order, one file each at `targetOf(n)`. A part contains nothing of any other
 * part's pages. Throws the errors of `openPdf`.
 */
export async function splitByRule(
  source: string,
  rule: PartRule,
  targetOf: (n: number) => string,
  options: PartOptions,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const pages = opened.pages.length;
    const split = await guardDocument('fileInput', () => new SplitSource(opened));
    const extract = options.modified === undefined ? {} : { modified: options.modified };
    const sizeOf = (first: number, count: number): number => {
      options.onMeasure?.();
      return measureExtract(split, indexes(first, count), extract);
    };
    let guess = 1;
    for (let first = 0, n = 1; first < pages; n++) {
      const count = await guardDocument('fileInput', () =>
        rule.by === 'bytes'
          ? largestWithin(rule.limit, pages - first, guess, (pageCount) => sizeOf(first, pageCount))
          : plannedCount(rule, pages, n),
      );
      const path = targetOf(n);
      await guardDocument('fileInput', () => extractToFile(split, indexes(first, count), path, extract));
      first += count;
      guess = count;
      await options.onPart(path, n, first, pages);
    }
  });
}

/** Returns the page count of the n-th part, n from 1. */
function plannedCount(rule: Exclude<PartRule, { readonly by: 'bytes' }>, pages: number, n: number): number {
  if (rule.by === 'pages') return Math.min(rule.count, pages - (n - 1) * rule.count);
  const parts = Math.min(rule.count, pages);
  return Math.floor(pages / parts) + (n <= pages % parts ? 1 : 0);
}

/**
 * Returns the largest count from 1 to `most` whose size is within the limit; 1 if none is. Starts at a guess, steps up
 * or down with doubling steps, then bisects: a part of p pages takes about log p measurements, none of much more than p
 * pages. Sizes are assumed to grow with the count; in any case the size of the result was measured (or it is 1).
 */
export function largestWithin(limit: number, most: number, guess: number, sizeOf: (count: number) => number): number {
  const fits = (count: number): boolean => sizeOf(count) <= limit;
  let good = 0;
  let bad = most + 1;
  for (let at = Math.min(most, Math.max(1, guess)), step = 1; at > good && at < bad; step *= 2) {
    if (fits(at)) {
      good = at;
      at = Math.min(most, at + step);
    } else {
      bad = at;
      at = Math.max(1, at - step);
    }
    if (good > 0 && bad <= most) break;
  }
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return Math.max(1, good);
}

function indexes(first: number, count: number): number[] {
  return Array.from({ length: count }, (_unused, i) => first + i);
}
