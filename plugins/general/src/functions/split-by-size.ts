import { guardDocument, withPdf } from '@quire/document/file/open';
import { extractToFile, measureExtract, SplitSource } from '@quire/document/structure/split';

/** How parts are made (`docs/interface/general.yml`, split-by-size-or-count). */
export type PartRule =
  /** As many pages as stay within so many bytes; a page that is larger is a part of its own. */
  | { readonly by: 'bytes'; readonly limit: number }
  /** So many pages each; the last part has what is left. */
  | { readonly by: 'pages'; readonly count: number }
  /** So many parts whose page counts differ by one at most, the larger first; no more parts than pages. */
  | { readonly by: 'parts'; readonly count: number };

/** What the work tells and asks while it goes on. */
export interface PartOptions {
  readonly modified?: Date;
  /**
   * Called after each part with its path, its number from 1, and how many of the document's pages are done; what it
   * throws ends the work.
   */
  readonly onPart: (path: string, n: number, pagesDone: number, pages: number) => void | Promise<void>;
  /** Called before each measurement; what it throws ends the work. */
  readonly onMeasure?: () => void;
}

/**
 * Cuts a document into parts in page order, one file each at `targetOf(n)`. Each part holds nothing of any other part's
 * pages. Errors: those of `openPdf`.
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

/** Gives how many pages the n-th part has, n from 1. */
export function plannedCount(rule: Exclude<PartRule, { readonly by: 'bytes' }>, pages: number, n: number): number {
  if (rule.by === 'pages') return Math.min(rule.count, pages - (n - 1) * rule.count);
  const parts = Math.min(rule.count, pages);
  return Math.floor(pages / parts) + (n <= pages % parts ? 1 : 0);
}

/**
 * Gives the largest count from 1 to `most` whose size is within the limit; 1 when none is. Begins at a guess, goes up
 * or down from it in steps that double, and halves what is left: a part of p pages costs some log p measurements, none
 * of much more than p pages. Sizes are taken to grow with the count; whatever they do, the size of the answer was
 * measured (or it is 1).
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
