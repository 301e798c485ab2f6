import { PDFArray, type PDFContext, type PDFDict, type PDFName, type PDFObject, type PDFRef } from 'pdf-lib';

/**
 * The entries of a dictionary, to be read while it does not change. pdf-lib's own `entries()` copies each into a new
 * array, which is a tenth of what writing or copying an object costs.
 */
export function entriesOf(dict: PDFDict): Iterable<readonly [PDFName, PDFObject]> {
  const { dict: map } = dict as unknown as { readonly dict: unknown };
  return map instanceof Map ? (map as ReadonlyMap<PDFName, PDFObject>) : dict.entries();
}

/** Calls `visit` for each entry of a dictionary, as far as it has been read; without an array for each, too. */
export function eachEntry(dict: PDFDict, visit: (value: PDFObject, key: PDFName) => void): void {
  const { dict: map } = dict as unknown as { readonly dict: unknown };
  if (map instanceof Map) (map as ReadonlyMap<PDFName, PDFObject>).forEach(visit);
  else for (const [key, value] of dict.entries()) visit(value, key);
}

/** How many entries a dictionary has. */
export function entryCount(dict: PDFDict): number {
  const { dict: map } = dict as unknown as { readonly dict: unknown };
  return map instanceof Map ? map.size : dict.keys().length;
}

/** What `context.lookup` returns for a reference, without the array that it makes each time. */
export function lookupRef(context: PDFContext, ref: PDFRef): PDFObject | undefined {
  const { indirectObjects: map } = context as unknown as { readonly indirectObjects: unknown };
  return map instanceof Map ? (map as ReadonlyMap<PDFRef, PDFObject>).get(ref) : context.lookup(ref);
}

/** Creates an array of these elements, which it keeps, without room for more. */
export function arrayOfExactly(context: PDFContext, elements: PDFObject[]): PDFArray {
  const array = PDFArray.withContext(context);
  const inside = array as unknown as { array: unknown };
  if (Array.isArray(inside.array)) inside.array = elements;
  else for (const element of elements) array.push(element);
  return array;
}
