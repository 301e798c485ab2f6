import type Joi from 'joi';
import { InputError } from '../errors/classes.js';
import type { JoiRoot } from '../contract/operation.js';
import { type PageFault, readPages } from './page-syntax.js';
import { shown } from './shown.js';

/** The shared `pageNumbers` field: text in the page number syntax of `docs/interface/general.yml`. */
export function pageNumbersField(
  joi: JoiRoot,
  description = 'Pages: numbers, ranges and formulas in n = 1, 2, 3 …, separated by commas (1,3,5-9, or 2n-1 for ' +
    'odd pages), or all',
): Joi.StringSchema {
  const field = joi.string().trim().empty('').max(10_000).default('all').description(description).example('1,3,5-9');
  return shown(field, { label: 'Pages', help: 'Such as 1,3,5-9 or 2n-1; all for every page.', widget: 'pages' });
}

/**
 * Returns the pages that an expression selects: 0-based indexes, in the order of first appearance, without duplicates.
 * Numbers and ranges outside the document are ignored. Throws PAGES_INVALID for a part that is not a number, range or
 * formula, or runs backwards, and PAGES_OUT_OF_RANGE when no page is selected.
 */
export function selectPages(expression: string, pageCount: number, field = 'pageNumbers'): number[] {
  const { pages, fault } = readPages(expression, pageCount);
  if (fault !== undefined) throw invalid(fault, field);
  if (pages.length > 0) return pages;
  const found = expression.length > 60 ? `${expression.slice(0, 60)}…` : expression;
  throw new InputError('PAGES_OUT_OF_RANGE', { field, found, pages: pageCount }, [
    { pointer: `/${field}`, detail: `selects none of the ${pageCount} pages` },
  ]);
}

function invalid({ found, what, hint }: PageFault, field: string): InputError {
  const pointer = `/${field}`;
  return hint === undefined
    ? new InputError('PAGES_INVALID', { field, found }, [{ pointer, detail: `"${found}" ${what}` }])
    : new InputError('PAGES_INVALID', { field, found, backwards: hint }, [
        { pointer, detail: `${what} ("${found}"); ${hint}` },
      ]);
}
