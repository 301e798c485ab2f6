import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { arrayOf, catalogOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { NOTHING, type PageEntry, walkPages, writePageTree } from './walk.js';

const PAGE = PDFName.of('Page');

/**
 * Repairs the page tree of a document in place and returns its pages: counts and parents are correct, each page has its
 * own attributes and type, occurs in the tree once (a repeated one becomes a separate page), and its contents are
 * streams. A flat and valid tree is left unchanged.
 */
export function repairPages(context: PDFContext): readonly PageEntry[] {
  const pages = walkPages(context);
  const catalog = catalogOf(context);
  if (catalog === undefined || pages.length === 0) return pages;
  const seen = new Set<PDFDict>();
  const lifted = new Map<PDFObject, PDFObject>();
  let changed = !isPlainTree(context, catalog, pages);
  const repaired = pages.map((page): PageEntry => {
    let { ref, dict } = page;
    if (seen.has(dict)) {
      dict = PDFPageLeaf.fromMapWithContext(page.dict.asMap(), context);
      ref = context.register(dict);
      changed = true;
    } else if (!(dict instanceof PDFPageLeaf)) {
      // A page whose /Type is missing or wrong: pdf-lib's `getPages` finds pages by their class.
      dict = PDFPageLeaf.fromMapWithContext(page.dict.asMap(), context);
      context.assign(ref, dict);
    }
    seen.add(page.dict);
    for (const [key, value] of page.inherited) setEntry(dict, key, shareable(context, value, lifted));
    setEntry(dict, 'Type', PAGE);
    repairContents(context, dict);
    return { ref, dict, inherited: NOTHING };
  });
  if (changed)
    setEntry(
      catalog,
      'Pages',
      writePageTree(
        context,
        repaired.map(({ ref }) => ref),
      ),
    );
  return repaired;
}

/** Makes a dictionary that several pages inherit indirect, so that it is not written once per page. */
function shareable(context: PDFContext, value: PDFObject, lifted: Map<PDFObject, PDFObject>): PDFObject {
  if (!(value instanceof PDFDict)) return value;
  const ref = lifted.get(value) ?? context.register(value);
  lifted.set(value, ref);
  return ref;
}

/**
 * Returns true for a tree with one node and a correct count, whose pages have it as their parent and inherit nothing.
 */
function isPlainTree(context: PDFContext, catalog: PDFDict, pages: readonly PageEntry[]): boolean {
  const root = entry(catalog, 'Pages');
  const node = resolve(context, root);
  if (!(root instanceof PDFRef) || !(node instanceof PDFDict)) return false;
  const count = entry(node, 'Count');
  const kids = elements(context, entry(node, 'Kids'));
  return (
    entry(node, 'Type') === PDFName.of('Pages') &&
    count instanceof PDFNumber &&
    count.asNumber() === pages.length &&
    kids.length === pages.length &&
    pages.every((page, i) => page.ref === kids[i] && page.inherited.size === 0 && entry(page.dict, 'Parent') === root)
  );
}

function repairContents(context: PDFContext, page: PDFDict): void {
  const value = entry(page, 'Contents');
  if (value === undefined) return;
  const contents = resolve(context, value);
  if (contents instanceof PDFStream) return;
  if (!(contents instanceof PDFArray)) return setEntry(page, 'Contents', undefined);
  const isStream = (item: PDFObject): boolean => resolve(context, item) instanceof PDFStream;
  let at = 0;
  while (at < contents.size() && isStream(contents.get(at))) at++;
  if (at === contents.size()) return;
  const streams = contents.asArray().filter(isStream);
  setEntry(page, 'Contents', streams.length > 0 ? arrayOf(context, streams) : undefined);
}
