import type Joi from 'joi';
import { InputError } from '../errors/classes.js';
import type { JoiRoot } from '../contract/operation.js';
import { compileFormula } from './page-formula.js';

/** Formulas on longer documents are refused (`docs/interface/general.yml`, page number syntax). */
const FORMULA_PAGE_LIMIT = 10_000;

/** The shared `pageNumbers` field: text in the page number syntax of `docs/interface/general.yml`. */
export function pageNumbersField(
  joi: JoiRoot,
  description = 'Pages: numbers, ranges and formulas in n, separated by commas (1,3,5-9 or 2n+1), or all',
): Joi.StringSchema {
  return joi.string().trim().empty('').max(10_000).default('all').description(description).example('1,3,5-9');
}

/**
 * Returns the pages that an expression selects: 0-based indexes, in the order of first appearance, without duplicates.
 * Numbers and ranges outside the document are ignored. Throws PAGES_INVALID for a part that is not a number, range or
 * formula, or runs backwards, and PAGES_OUT_OF_RANGE when no page is selected.
 */
export function selectPages(expression: string, pageCount: number, field = 'pageNumbers'): number[] {
  const selected: number[] = [];
  const taken = new Uint8Array(pageCount + 1);
  const take = (page: number): void => {
    if (!(page >= 1 && page <= pageCount) || taken[page] === 1) return;
    taken[page] = 1;
    selected.push(page - 1);
  };
  for (const part of new Set(expression.split(',').map((raw) => raw.trim())))
    if (part !== '') takePart(part, pageCount, field, take);
  if (selected.length === 0) {
    const data = {
      field,
      found: expression.length > 60 ? `${expression.slice(0, 60)}…` : expression,
      pages: pageCount,
    };
    throw new InputError('PAGES_OUT_OF_RANGE', data, [
      { pointer: `/${field}`, detail: `selects none of the ${pageCount} pages` },
    ]);
  }
  return selected;
}

function takePart(part: string, pageCount: number, field: string, take: (page: number) => void): void {
  const range = part.toLowerCase() === 'all' ? ['', '1', ''] : /^(\d{1,15})\s*-\s*(\d{0,15})$/.exec(part);
  if (range !== null) {
    if (range[2] !== '' && Number(range[2]) < Number(range[1])) throw backwards(part, field, range);
    const last = range[2] === '' ? pageCount : Math.min(pageCount, Number(range[2]));
    for (let page = Math.max(1, Number(range[1])); page <= last; page++) take(page);
    return;
  }
  if (/^\d{1,15}$/.test(part)) return take(Number(part));
  const formula = /^[0-9n+\-*/() ]+$/.test(part) && part.includes('n') ? compileFormula(part) : undefined;
  if (formula === undefined) throw invalid(part, field, 'is not a page number, range or formula in n');
  if (pageCount > FORMULA_PAGE_LIMIT)
    throw invalid(
      part,
      field,
      `is a formula, which is accepted for at most ${FORMULA_PAGE_LIMIT} pages; the document has ${pageCount}`,
    );
  for (let n = 1; n <= pageCount; n++) take(Math.trunc(formula(n)));
}

function backwards(part: string, field: string, [, first, last]: readonly string[]): InputError {
  const found = part.slice(0, 60);
  const hint = `did you mean "${last}-${first}"?`;
  return new InputError('PAGES_INVALID', { field, found, backwards: hint }, [
    { pointer: `/${field}`, detail: `runs backwards ("${found}"); ${hint}` },
  ]);
}

function invalid(part: string, field: string, what: string): InputError {
  const found = part.slice(0, 60);
  return new InputError('PAGES_INVALID', { field, found }, [{ pointer: `/${field}`, detail: `"${found}" ${what}` }]);
}
