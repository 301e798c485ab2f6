import type Joi from 'joi';
import { InputError } from '../errors/classes.js';
import type { JoiRoot } from '../contract/operation.js';
import { evaluateFormula } from './page-formula.js';

/** Formulas on longer documents are refused (`contract/general.yml`, page number syntax). */
const FORMULA_PAGE_LIMIT = 10_000;

/** The shared `pageNumbers` field: text in the page number syntax of `contract/general.yml`. */
export function pageNumbersField(joi: JoiRoot, description = 'Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all'): Joi.StringSchema {
  return joi.string().trim().empty('').max(10_000).default('all').description(description).example('1,3,5-9');
}

/**
 * The pages that an expression selects: 0-based indexes, in the order of first appearance, without duplicates.
 * Numbers and ranges outside the document are cut off; a part that is no number, range or formula is refused with PAGES_INVALID,
 * and an expression that selects nothing at all with PAGES_OUT_OF_RANGE.
 */
export function selectPages(expression: string, pageCount: number, field = 'pageNumbers'): number[] {
  const selected = new Set<number>();
  for (const raw of expression.split(',')) {
    const part = raw.trim();
    if (part === '') continue;
    for (const page of pagesOfPart(part, pageCount, field)) selected.add(page - 1);
  }
  if (selected.size === 0) {
    const data = { field, found: expression.length > 60 ? `${expression.slice(0, 60)}…` : expression, pages: pageCount };
    throw new InputError('PAGES_OUT_OF_RANGE', data, [{ pointer: `/${field}`, detail: `selects none of the ${pageCount} pages` }]);
  }
  return [...selected];
}

function* pagesOfPart(part: string, pageCount: number, field: string): Generator<number> {
  if (part.toLowerCase() === 'all') {
    yield* inclusive(1, pageCount);
    return;
  }
  const range = /^(\d{1,15})\s*-\s*(\d{0,15})$/.exec(part);
  if (range !== null) {
    const last = range[2] === '' ? pageCount : Number(range[2]);
    yield* inclusive(Math.max(1, Number(range[1])), Math.min(pageCount, last));
    return;
  }
  if (/^\d{1,15}$/.test(part)) {
    const page = Number(part);
    if (page >= 1 && page <= pageCount) yield page;
    return;
  }
  if (/^[0-9n+\-*/() ]+$/.test(part) && part.includes('n')) {
    if (pageCount > FORMULA_PAGE_LIMIT) throw invalid(part, field);
    for (let n = 1; n <= pageCount; n++) {
      const value = evaluateFormula(part, n);
      if (value === undefined) throw invalid(part, field);
      const page = Math.trunc(value);
      if (page >= 1 && page <= pageCount) yield page;
    }
    return;
  }
  throw invalid(part, field);
}

function* inclusive(first: number, last: number): Generator<number> {
  for (let page = first; page <= last; page++) yield page;
}

function invalid(part: string, field: string): InputError {
  const found = part.slice(0, 60);
  return new InputError('PAGES_INVALID', { field, found }, [{ pointer: `/${field}`, detail: `"${found}" is no page number, range or formula in n` }]);
}
