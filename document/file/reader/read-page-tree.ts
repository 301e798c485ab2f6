import { PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import type { LazyDocument } from './lazy-document.js';

/** No writer creates deeper trees. */
const MAX_DEPTH = 500;
/**
 * The most repeated visits to nodes that occur in a tree more than once; a tree that doubles at each level would never
 * end.
 */
const MAX_REPEATS = 1000;
const [KIDS, TYPE, PAGE, PAGES, CONTENTS, MEDIA_BOX, ROOT, COUNT] = [
  'Kids',
  'Type',
  'Page',
  'Pages',
  'Contents',
  'MediaBox',
  'Root',
  'Count',
].map((key) => PDFName.of(key)) as [PDFName, PDFName, PDFName, PDFName, PDFName, PDFName, PDFName, PDFName];

/** A page of the tree; missing ones are counted in the numbers, from 1. */
export interface TreePage {
  readonly number: number;
  readonly dict: PDFDict;
}

export interface PageTree {
  readonly pages: readonly TreePage[];
  /** Numbers of entries that are null, missing or no dictionary. */
  readonly missing: readonly number[];
  /** The /Count of the root; undefined when it is missing or no number. */
  readonly count: number | undefined;
}

/** Counts the pages that `readPageTree` finds. */
export const countPages = (document: LazyDocument): number => readPageTree(document).pages.length;

/**
 * Returns the pages found by walking the page tree (ISO 32000-1, 7.7.3), never by /Count; stops at nodes that contain
 * themselves, and changes nothing. Throws PDF_PAGE_TREE above two million nodes, and the errors of `lookup`.
 */
export function readPageTree(document: LazyDocument): PageTree {
  const resolve = (value: PDFObject | undefined): PDFObject | undefined => {
    let object = value;
    for (let hop = 0; object instanceof PDFRef && hop < 32; hop++) object = document.lookup(object);
    return object;
  };
  const catalog = resolve(document.trailer.get(ROOT));
  const pages: TreePage[] = [];
  const missing: number[] = [];
  if (!(catalog instanceof PDFDict)) return { pages, missing, count: undefined };
  const seen = new Set<PDFDict>();
  const above = new Set<PDFDict>();
  const next = (): number => pages.length + missing.length + 1;
  let [repeats, met] = [0, 0];
  const walk = (value: PDFObject | undefined, depth: number): void => {
    const node = resolve(value);
    if (++met > bounds.pageNodes) throw new DocumentError('PDF_PAGE_TREE', { limit: bounds.pageNodes });
    if (!(node instanceof PDFDict)) {
      if (depth > 0) missing.push(next());
      return;
    }
    if (depth > MAX_DEPTH) return;
    if (!node.has(KIDS)) {
      if (depth > 0 && isPage(node, resolve)) pages.push({ number: next(), dict: node });
      return;
    }
    if (seen.has(node) && (above.has(node) || ++repeats > MAX_REPEATS)) return;
    seen.add(node);
    above.add(node);
    const kids = resolve(node.get(KIDS));
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) walk(kid, depth + 1);
    above.delete(node);
  };
  walk(catalog.get(PAGES), 0);
  const root = resolve(catalog.get(PAGES));
  const count = root instanceof PDFDict ? resolve(root.get(COUNT)) : undefined;
  return { pages, missing, count: count instanceof PDFNumber ? count.asNumber() : undefined };
}

/** A missing object and a null entry are the same (ISO 32000-1, 7.3.7 and 7.3.10). */
const isNothing = (value: PDFObject | undefined): boolean => value === undefined || value === PDFNull;

function isPage(node: PDFDict, resolve: (value: PDFObject | undefined) => PDFObject | undefined): boolean {
  const type = resolve(node.get(TYPE));
  return (
    !(type instanceof PDFName) ||
    type === PAGE ||
    (type !== PAGES && [CONTENTS, MEDIA_BOX].some((key) => !isNothing(resolve(node.get(key)))))
  );
}
