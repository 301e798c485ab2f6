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
