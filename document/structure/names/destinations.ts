import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef } from 'pdf-lib';
import {
  asByteString,
  asDict,
  asName,
  asNumber,
  catalogOf,
  entry,
  isString,
  readNameTree,
  resolve,
} from '../../file/objects/index.js';

/**
 * Named destinations of a document: strings of the name tree, and names of the older dictionary (ISO 32000-1,
 * 12.3.2.3).
 */
export interface NamedDestinations {
  /** Byte string to value (array, or dictionary with /D), unresolved. */
  readonly strings: ReadonlyMap<string, PDFObject>;
  /** Name without slash to value, unresolved. */
  readonly names: ReadonlyMap<string, PDFObject>;
}

/** Reads both tables of named destinations. */
export function readNamedDestinations(context: PDFContext): NamedDestinations {
  const catalog = catalogOf(context);
  const strings = new Map<string, PDFObject>();
  const names = new Map<string, PDFObject>();
  if (catalog !== undefined) {
    const trees = asDict(context, entry(catalog, 'Names'));
    for (const [key, value] of readNameTree(context, trees === undefined ? undefined : entry(trees, 'Dests')))
      if (!strings.has(key)) strings.set(key, value);
    for (const [key, value] of asDict(context, entry(catalog, 'Dests'))?.entries() ?? [])
      names.set(key.decodeText(), value);
  }
  return { strings, names };
}

/** Returns the explicit destination array of a destination: an array, a named one, or a dictionary with /D. */
export function explicitDestination(
  context: PDFContext,
  named: NamedDestinations,
  value: PDFObject | undefined,
): PDFArray | undefined {
  let object = resolve(context, value);
  for (let hop = 0; hop < 8; hop++) {
    if (object instanceof PDFArray) return object;
    if (object instanceof PDFDict) object = resolve(context, entry(object, 'D'));
    else if (object instanceof PDFName) object = resolve(context, named.names.get(object.decodeText()));
    else if (isString(object)) object = resolve(context, named.strings.get(asByteString(context, object) ?? ''));
    else return undefined;
  }
  return undefined;
}

/**
 * Returns the reference of the page that a destination shows, or undefined if there is none. Some writers use a 0-based
 * page index.
 */
export function destinationPage(
  context: PDFContext,
  named: NamedDestinations,
  value: PDFObject | undefined,
  pages: readonly PDFRef[],
): PDFRef | undefined {
  const first = explicitDestination(context, named, value)?.asArray()[0];
  if (first instanceof PDFRef) return first;
  const index = asNumber(context, first);
  return index === undefined ? undefined : pages[index];
}

/** The target of a link, bookmark or field. */
export type ActionTarget =
  | { readonly kind: 'page'; readonly page: PDFRef }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'other' }
  | { readonly kind: 'none' };

/**
 * Returns the target of a dictionary with /Dest or /A (annotation, outline item). `nowhere` is a jump within the
 * document without a valid page.
 */
export function targetOf(
  context: PDFContext,
  named: NamedDestinations,
  owner: PDFDict,
  pages: readonly PDFRef[],
): ActionTarget {
  const jump = (value: PDFObject | undefined): ActionTarget => {
    const page = destinationPage(context, named, value, pages);
    return page === undefined ? { kind: 'nowhere' } : { kind: 'page', page };
  };
  const dest = entry(owner, 'Dest');
  if (dest !== undefined) return jump(dest);
  const action = asDict(context, entry(owner, 'A'));
  if (action === undefined) return { kind: 'none' };
  return asName(context, entry(action, 'S')) === 'GoTo' ? jump(entry(action, 'D')) : { kind: 'other' };
}
