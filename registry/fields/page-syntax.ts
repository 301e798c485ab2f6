import { compileFormula } from './page-formula.js';

/** Formulas on longer documents are refused (`docs/interface/general.yml`, page number syntax). */
const FORMULA_PAGE_LIMIT = 10_000;

/** What is wrong with a part of a page expression. */
export interface PageFault {
  /** The part, shortened. */
  readonly found: string;
  /** The sentence after it: `is not a page number, range or formula in n`. */
  readonly what: string;
  /** For a range that runs backwards: a question with the range that was meant. */
  readonly hint?: string;
}

/**
 * Reads an expression in the page number syntax of `docs/interface/general.yml`: the pages that it selects, as 0-based
 * indexes in the order of first appearance, without duplicates, and the first fault. Numbers and ranges outside the
 * document are ignored. Needs nothing but the language, so that pages in browsers use it too.
 */
export function readPages(
  expression: string,
  pageCount: number,
): { readonly pages: number[]; readonly fault?: PageFault } {
  const pages: number[] = [];
  const taken = new Uint8Array(pageCount + 1);
  const take = (page: number): void => {
    if (!(page >= 1 && page <= pageCount) || taken[page] === 1) return;
    taken[page] = 1;
    pages.push(page - 1);
  };
  for (const part of new Set(expression.split(',').map((raw) => raw.trim()))) {
    const fault = part === '' ? undefined : takePart(part, pageCount, take);
    if (fault !== undefined) return { pages, fault };
  }
  return { pages };
}

/** Longer lists are not searched for pages that are not used. */
const MOST_PARTS = 200;

/**
 * Returns the numbers and ranges of an expression that `readPages` ignores: those that reach outside a document of this
 * many pages, and those that name a page again.
 */
export function unusedParts(
  expression: string,
  pageCount: number,
): { readonly outside: string[]; readonly repeated: string[] } {
  const outside: string[] = [];
  const repeated: string[] = [];
  const taken = new Set<number>();
  const parts = expression.split(',').map((part) => part.trim());
  for (const part of parts.length > MOST_PARTS ? [] : parts) {
    const found = /^(\d{1,15})(?:\s*-\s*(\d{1,15}))?$/.exec(part);
    if (found === null) continue;
    const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])];
    if (first < 1 || last > pageCount) outside.push(part);
    const before = taken.size;
    const end = Math.min(last, pageCount);
    for (let page = Math.max(1, first); page <= end; page++) taken.add(page);
    if (taken.size - before < end - Math.max(1, first) + 1) repeated.push(part);
  }
  return { outside, repeated };
}

function takePart(part: string, pageCount: number, take: (page: number) => void): PageFault | undefined {
  const range = part.toLowerCase() === 'all' ? ['', '1', ''] : /^(\d{1,15})\s*-\s*(\d{0,15})$/.exec(part);
  if (range !== null) {
    if (range[2] !== '' && Number(range[2]) < Number(range[1])) return backwards(part, range);
    const last = range[2] === '' ? pageCount : Math.min(pageCount, Number(range[2]));
    for (let page = Math.max(1, Number(range[1])); page <= last; page++) take(page);
    return undefined;
  }
  if (/^\d{1,15}$/.test(part)) {
    take(Number(part));
    return undefined;
  }
  const formula = /^[0-9n+\-*/() ]+$/.test(part) && part.includes('n') ? compileFormula(part) : undefined;
  if (formula === undefined) return invalid(part, 'is not a page number, range or formula in n');
  if (pageCount > FORMULA_PAGE_LIMIT)
    return invalid(
      part,
      `is a formula, which is accepted for at most ${FORMULA_PAGE_LIMIT} pages; the document has ${pageCount}`,
    );
  for (let n = 1; n <= pageCount; n++) take(Math.trunc(formula(n)));
  return undefined;
}

function backwards(part: string, [, first, last]: readonly string[]): PageFault {
  return { found: part.slice(0, 60), what: 'runs backwards', hint: `did you mean "${last}-${first}"?` };
}

function invalid(part: string, what: string): PageFault {
  return { found: part.slice(0, 60), what };
}
