import { asName, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import {
  type OutlineItem,
  type OutlineNode,
  outlineTitle,
  pageItem,
  readOutlines,
  upperEdge,
  writeOutlines,
} from '@quire/document/structure/outlines';
import { readNamedDestinations, targetOf } from '@quire/document/structure/names';
import type { PDFRef } from 'pdf-lib';
import type { Bookmark } from './bookmark-data.js';

/**
 * A bookmark as it stands in a document; `page` is a 0-based index, undefined when it leads to no page of the document.
 */
export interface PlacedBookmark {
  readonly title: string;
  readonly page: number | undefined;
  readonly children: readonly PlacedBookmark[];
}

/**
 * Reads the bookmark tree of a document (ISO 32000-1, 12.3.3); named destinations and GoTo actions are resolved. At
 * most 100000 are read, 200 deep.
 */
export function placedBookmarks({ document, pages }: OpenedPdf): PlacedBookmark[] {
  const { context } = document;
  const named = readNamedDestinations(context);
  const refs = pages.map(({ ref }) => ref);
  const indexes = new Map<PDFRef, number>();
  refs.forEach((ref, index) => {
    if (!indexes.has(ref)) indexes.set(ref, index);
  });
  const placed = (node: OutlineNode): PlacedBookmark => {
    const target = targetOf(context, named, node.dict, refs);
    return {
      title: outlineTitle(context, node),
      page: target.kind === 'page' ? indexes.get(target.page) : undefined,
      children: node.children.map(placed),
    };
  };
  return readOutlines(context).map(placed);
}

/** Gives the bookmarks as `extract-bookmarks` answers them: pages from 1, and 1 for those that lead nowhere. */
export function readBookmarks(opened: OpenedPdf): Bookmark[] {
  const told = ({ title, page, children }: PlacedBookmark): Bookmark => ({
    title,
    pageNumber: (page ?? 0) + 1,
    children: children.map(told),
  });
  return placedBookmarks(opened).map(told);
}

/**
 * Puts these bookmarks in the place of all that a document has, in place; page numbers beyond its pages lead to the
 * first or last.
 */
export function replaceBookmarks({ document, pages }: OpenedPdf, bookmarks: readonly Bookmark[]): void {
  const { context, catalog } = document;
  const item = ({ title, pageNumber, children }: Bookmark): OutlineItem[] => {
    const page = pages[Math.min(Math.max(pageNumber, 1), pages.length) - 1];
    return page === undefined
      ? []
      : [pageItem(context, title, page.ref, upperEdge(context, page), children.flatMap(item))];
  };
  setEntry(catalog, 'Outlines', writeOutlines(context, bookmarks.flatMap(item)));
  // A viewer told to open a panel that is empty.
  if (bookmarks.length === 0 && asName(context, entry(catalog, 'PageMode')) === 'UseOutlines')
    setEntry(catalog, 'PageMode', undefined);
}
