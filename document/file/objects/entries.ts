import type { PDFDict, PDFName, PDFObject } from 'pdf-lib';

/**
 * The entries of a dictionary, to be read while it does not change. pdf-lib's own `entries()` copies each into a new
 * array, which is a tenth of what writing or copying an object costs.
 */
export function entriesOf(dict: PDFDict): Iterable<readonly [PDFName, PDFObject]> {
  const { dict: map } = dict as unknown as { readonly dict: unknown };
  return map instanceof Map ? (map as ReadonlyMap<PDFName, PDFObject>) : dict.entries();
}
