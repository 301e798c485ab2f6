import { PDFArray, type PDFContext, type PDFDict, type PDFName, type PDFObject } from 'pdf-lib';

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

/** Creates an array of these elements, which it keeps, without room for more. */
export function arrayOfExactly(context: PDFContext, elements: PDFObject[]): PDFArray {
  const array = PDFArray.withContext(context);
  const inside = array as unknown as { array: unknown };
  if (Array.isArray(inside.array)) inside.array = elements;
  else for (const element of elements) array.push(element);
  return array;
}
