import { PDFArray, type PDFContext, type PDFDict, PDFRawStream } from 'pdf-lib';
import {
  asDict,
  asNumber,
  catalogOf,
  dictOf,
  entry,
  readNumberTree,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { pageAttribute, type PageEntry } from '../../structure/pages/index.js';
import { collectForms } from '../../content/index.js';
import { dropShared } from './shared-resources.js';
import { ReplacementTexts } from './replacement-texts.js';

/** Page entries with content or a copy of it. */
const CONTENT = ['Contents', 'Thumb', 'PieceInfo', 'Metadata', 'LastModified', 'Group'] as const;

/**
 * Empties pages in place: content, resources and copies of them are removed, and structure elements no longer describe
 * it. Boxes, rotation and annotations stay; annotations are left to the caller. The document must be rewritten
 * afterwards.
 */
export function wipePages({ document: { context }, pages: all }: OpenedPdf, pages: readonly PageEntry[]): void {
  const replacementTexts = new ReplacementTexts(context);
  const left = new Set([...collectForms(context, pages), ...imagesOf(context, pages)]);
  const keys = new Map<number, PageEntry>();
  for (const page of pages) {
    const key = asNumber(context, entry(page.dict, 'StructParents'));
    if (key !== undefined) keys.set(key, page);
    for (const name of CONTENT) setEntry(page.dict, name, undefined);
    // An empty dictionary, since the page would otherwise inherit resources from the page tree.
    setEntry(page.dict, 'Resources', dictOf(context, {}));
  }
  dropShared(context, all, left);
  const catalog = catalogOf(context);
  const tree: PDFDict | undefined =
    catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  if (tree === undefined || keys.size === 0) return;
  for (const [key, value] of readNumberTree(context, entry(tree, 'ParentTree'))) {
    const page = keys.get(key);
    const list = resolve(context, value);
    if (page !== undefined && list instanceof PDFArray) replacementTexts.touchAll(page, Array(list.size()).keys());
  }
  replacementTexts.finish();
}

/** Returns the images in the resources of pages. */
function imagesOf(context: PDFContext, pages: readonly PageEntry[]): PDFRawStream[] {
  return pages.flatMap((page) => {
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const objects = resources === undefined ? undefined : asDict(context, entry(resources, 'XObject'));
    return (objects?.values() ?? [])
      .map((value) => resolve(context, value))
      .filter((value) => value instanceof PDFRawStream);
  });
}
