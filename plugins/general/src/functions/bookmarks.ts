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

/** A bookmark of a document; `page` is a 0-based index, undefined if its target is not a page of the document. */
export interface PlacedBookmark {
  readonly title: string;
  readonly page: number | undefined;
  readonly children: readonly PlacedBookmark[];
}

/**
 * Reads the bookmark tree of a document (ISO 32000-1, 12.3.3) and resolves named destinations and GoTo actions. Reads
 * at most 100000 bookmarks, 200 levels deep.
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

/**
 * Returns the bookmarks in the format of `extract-bookmarks`: pages count from 1, and a bookmark without a target page
 * gets 1.
 */
export function readBookmarks(opened: OpenedPdf): Bookmark[] {
  const toJson = ({ title, page, children }: PlacedBookmark): Bookmark => ({
    title,
    pageNumber: (page ?? 0) + 1,
    children: children.map(toJson),
  });
  return placedBookmarks(opened).map(toJson);
}

/** Replaces all bookmarks of a document, in place; page numbers beyond its pages lead to the first or last page. */
export function replaceBookmarks({ document, pages }: OpenedPdf, bookmarks: readonly Bookmark[]): void {
  const { context, catalog } = document;
  const item = ({ title, pageNumber, children }: Bookmark): OutlineItem[] => {
    const page = pages[Math.min(Math.max(pageNumber, 1), pages.length) - 1];
    return page === undefined
      ? []
      : [pageItem(context, title, page.ref, upperEdge(context, page), children.flatMap(item))];
  };
  setEntry(catalog, 'Outlines', writeOutlines(context, bookmarks.flatMap(item)));
  // Otherwise viewers would open an empty bookmarks panel.
  if (bookmarks.length === 0 && asName(context, entry(catalog, 'PageMode')) === 'UseOutlines')
    setEntry(catalog, 'PageMode', undefined);
}
