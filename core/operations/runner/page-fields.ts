import { showFields, type CatalogOperation } from '@quire/catalog';
import { holds, type When } from '@quire/registry';
import { unusedParts } from '@quire/registry/page-syntax';

/** A field with a list of pages. */
export interface PageField {
  readonly name: string;
  readonly when: When;
  /** Its order is that of the result, so a page that is named again was probably meant twice. */
  readonly ordered: boolean;
}

const pageFields = new WeakMap<CatalogOperation, readonly PageField[]>();
/** Values that cannot be lists of pages need no look at the declaration. */
const LISTS = /^[\d\s,-]*\d[\d\s,-]*$/;
/** Names at most this many parts in a warning. */
const MOST_NAMED = 5;

/** Returns the fields of an operation with lists of pages. */
export function pageFieldsOf(entry: CatalogOperation): readonly PageField[] {
  let fields = pageFields.get(entry);
  if (fields === undefined) {
    fields = showFields(entry.operation, entry.schema)
      .filter(({ widget }) => widget === 'pages' || widget === 'pageOrder')
      .map(({ name, when, widget }) => ({ name, when: when ?? 'always', ordered: widget === 'pageOrder' }));
    pageFields.set(entry, fields);
  }
  return fields;
}

/**
 * Returns a warning for each list of pages with parts that were not used: existing clients send such lists, so they are
 * no errors (`docs/interface/general.yml`, page number syntax).
 */
export function pageWarnings(
  entry: CatalogOperation,
  params: Readonly<Record<string, unknown>>,
  inputPages: readonly number[],
): readonly string[] {
  const [pages, ...others] = inputPages;
  const lists = Object.values(params).some((value) => typeof value === 'string' && LISTS.test(value));
  if (pages === undefined || pages < 1 || others.length > 0 || !lists) return [];
  return pageFieldsOf(entry)
    .filter(({ when }) => holds(when, params))
    .flatMap(({ name, ordered }) => warningsOf(name, params[name], pages, ordered));
}

function warningsOf(name: string, value: unknown, pages: number, ordered: boolean): string[] {
  if (typeof value !== 'string' || (ordered && /^\s*\d+\s*$/.test(value))) return [];
  const { outside, repeated } = unusedParts(value, pages);
  const document = pages === 1 ? 'the document has one page' : `the document has ${pages} pages`;
  return [
    ...(outside.length > 0 ? [`${name}: ${named(outside)} reaches outside the document: ${document}.`] : []),
    ...(ordered && repeated.length > 0
      ? [`${name}: ${named(repeated)} names pages again, and each page is used once.`]
      : []),
  ];
}

function named(parts: readonly string[]): string {
  const shown = parts.slice(0, MOST_NAMED).map((part) => `"${part}"`);
  return [...shown, ...(parts.length > MOST_NAMED ? [`${parts.length - MOST_NAMED} more`] : [])].join(', ');
}
