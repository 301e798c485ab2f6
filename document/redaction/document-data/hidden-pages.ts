import { type PDFContext, PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { ContentReader, showPage } from '../../content/index.js';
import {
  asDict,
  asName,
  catalogOf,
  entry,
  everyObject,
  readNameTree,
  resolve,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { pageTexts } from '../search/index.js';
import { isFound, type TextFinder } from './text-finder.js';

/** Name trees of pages that only scripts can show (ISO 32000-1, table 31). */
const TREES = ['Pages', 'Templates'] as const;

/** Returns true if a page shows found text. Throws INPUT_TOO_COMPLEX. */
export function pageShows(reader: ContentReader, page: PageEntry, find: TextFinder): boolean {
  return pageTexts(showPage(reader, page)).texts.some((text) => isFound(text, find));
}

/**
 * Removes pages that are in the document but not shown, in place, if they contain found text: those that only scripts
 * can show, and the content of those that something else refers to. Returns the number of removed pages.
 */
export function dropHiddenPages(context: PDFContext, shown: readonly PageEntry[], find: TextFinder): number {
  const reader = new ContentReader(context, { bothReadings: true });
  const visible = new Set(shown.map(({ dict }) => dict));
  const shows = (page: PDFObject): boolean => {
    const dict = resolve(context, page);
    const ref = page instanceof PDFRef ? page : PDFRef.of(0);
    return (
      dict instanceof PDFDict && !visible.has(dict) && pageShows(reader, { ref, dict, inherited: new Map() }, find)
    );
  };
  return dropNamedPages(context, shows) + emptyLostPages(context, shows);
}

function dropNamedPages(context: PDFContext, shows: (ref: PDFObject) => boolean): number {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  if (names === undefined) return 0;
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

/** Destinations and structure elements may lead to pages outside of the page tree. */
function emptyLostPages(context: PDFContext, shows: (page: PDFObject) => boolean): number {
  let count = 0;
  for (const holder of everyObject(context)) {
    if (!(holder instanceof PDFDict) || asName(context, entry(holder, 'Type')) !== 'Page' || !shows(holder)) continue;
    for (const key of ['Contents', 'Resources', 'Annots']) setEntry(holder, key, undefined);
    count++;
  }
  return count;
}
