import type { CatalogOperation } from '@quire/catalog';
import { holds, InputError, selectPages, type FieldFault } from '@quire/registry';
import { escapePointer, pageFieldsOf } from '../runner/index.js';

/**
 * Returns what is wrong with the page lists that an operation reads with these parameters. A call finds it when it
 * reads its file; a pipeline should not get that far.
 */
export function pageFaults(entry: CatalogOperation, params: Readonly<Record<string, unknown>>): FieldFault[] {
  return pageFieldsOf(entry)
    .filter(({ when, ordered }) => !ordered && holds(when, params))
    .flatMap(({ name }) => faultOf(name, params[name]));
}

function faultOf(field: string, value: unknown): FieldFault[] {
  if (typeof value !== 'string') return [];
  try {
    // Its syntax is the same for every number of pages; which it selects is known when the file is.
    selectPages(value, 1, field);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.code === 'PAGES_INVALID')
      return error.errors.map(({ detail }) => ({ pointer: `/${escapePointer(field)}`, detail }));
  }
  return [];
}
