import { type PDFContext, PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { ContentReader, readPageText } from '../../content/index.js';
import { asDict, catalogOf, entry, readNameTree, resolve, setEntry, writeNameTree } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { isFound, type TextFinder } from './text-finder.js';

/** Name trees of pages that only scripts can show (ISO 32000-1, table 31). */
const TREES = ['Pages', 'Templates'] as const;

/** Returns true if a page shows found text. Throws INPUT_TOO_COMPLEX. */
export function pageShows(reader: ContentReader, page: PageEntry, find: TextFinder): boolean {
  const { units } = readPageText(reader, page);
  return isFound(units.map(({ text }) => text).join(''), find);
}

/**
 * Removes pages that are in the document but not shown, in place, if they contain found text. Returns the number of
 * removed pages.
 */
export function dropHiddenPages(context: PDFContext, shown: readonly PageEntry[], find: TextFinder): number {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  if (names === undefined) return 0;
  const reader = new ContentReader(context);
  const visible = new Set(shown.map(({ dict }) => dict));
  const shows = (ref: PDFObject): boolean => {
    const dict = resolve(context, ref);
    return (
      ref instanceof PDFRef &&
      dict instanceof PDFDict &&
      !visible.has(dict) &&
      pageShows(reader, { ref, dict, inherited: new Map() }, find)
    );
  };
  let count = 0;
  for (const key of TREES) {
    const pages = readNameTree(context, entry(names, key));
    const kept = pages.filter(([, value]) => !shows(value));
    if (kept.length === pages.length) continue;
    count += pages.length - kept.length;
    setEntry(names, key, kept.length === 0 ? undefined : writeNameTree(context, kept));
  }
  return count;
}
