import { asDict, catalogOf, entry, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { normaliseAngle, pageRotation } from '@quire/document/structure/pages';
import { type PDFContext, PDFDict, PDFNumber, PDFRef } from 'pdf-lib';

/**
 * Rotates every page clockwise by a multiple of 90 degrees, in place, in addition to its own or inherited rotation; the
 * sum is written as 0, 90, 180 or 270 (ISO 32000-1, 7.7.3.3). Reads nothing but the page dictionaries, and returns the
 * references of the objects that changed: the root of the page tree alone where all pages inherit from it.
 */
export function rotatePages({ document: { context }, pages }: OpenedPdf, angle: number): PDFRef[] {
  const rotation = (page: OpenedPdf['pages'][number]): PDFNumber =>
    PDFNumber.of(normaliseAngle(pageRotation(context, page) + angle));
  const [first] = pages;
  const root = pages.length > 1 ? inheritedRoot(context, pages) : undefined;
  if (root !== undefined && first !== undefined) {
    setEntry(root.dict, 'Rotate', rotation(first));
    return [root.ref];
  }
  const turned = new Set<unknown>();
  for (const page of pages) {
    // A page that occurs twice in the page tree is one dictionary and rotates once.
    if (turned.has(page.dict)) continue;
    turned.add(page.dict);
    setEntry(page.dict, 'Rotate', rotation(page));
  }
  return pages.map(({ ref }) => ref);
}

/**
 * The root of the page tree if every page inherits its rotation from there, or has none. Parents are followed as
 * viewers do, which need not agree with the tree in malformed documents.
 */
function inheritedRoot(
  context: PDFContext,
  pages: OpenedPdf['pages'],
): { readonly ref: PDFRef; readonly dict: PDFDict } | undefined {
  const ref = entry(catalogOf(context) ?? PDFDict.withContext(context), 'Pages');
  const dict = asDict(context, ref);
  if (!(ref instanceof PDFRef) || dict === undefined || entry(dict, 'Parent') !== undefined) return undefined;
  const inheriting = new Set<PDFDict>([dict]);
  const inherits = (page: PDFDict): boolean => {
    const parent = asDict(context, entry(page, 'Parent'));
    if (parent !== undefined && inheriting.has(parent) && !inheriting.has(page))
      return entry(page, 'Rotate') === undefined;
    const seen = new Set<PDFDict>();
    let node: PDFDict | undefined = page;
    for (; node !== undefined && !inheriting.has(node); node = asDict(context, entry(node, 'Parent'))) {
      if (seen.has(node) || entry(node, 'Rotate') !== undefined) return false;
      seen.add(node);
    }
    for (const each of seen) inheriting.add(each);
    return node !== undefined;
  };
  return pages.every((page) => inherits(page.dict)) ? { ref, dict } : undefined;
}
