import { PDFArray, type PDFContext, PDFDict, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asName,
  asNumber,
  catalogOf,
  entry,
  readNumberTree,
  resolve,
  setEntry,
  writeNumberTree,
} from '../../file/objects/index.js';

const MOST_ELEMENTS = 500_000;
/** Texts that stand for an element's content (ISO 32000-1, 14.9). */
const SPEAKING = ['ActualText', 'Alt', 'E'] as const;

/**
 * Removes the content of these pages, which no longer exists, from the structure tree in place (ISO 32000-1, 14.7.4):
 * marked content, its entries in the parent tree, and texts of elements that lose all their content. Annotations of the
 * pages, and all other pages, keep their tags.
 */
export function dropPageTags(context: PDFContext, pages: ReadonlyMap<PDFDict, PDFRef>): void {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  if (root === undefined || pages.size === 0) return;
  const isGone = (page: PDFObject | undefined): boolean => {
    const dict = asDict(context, page);
    return dict !== undefined && pages.has(dict);
  };
  const waiting: PDFDict[] = [root];
  const seen = new Set<PDFDict>();
  for (let element = waiting.pop(); element !== undefined && seen.size < MOST_ELEMENTS; element = waiting.pop()) {
    if (seen.has(element)) continue;
    seen.add(element);
    const kids = resolve(context, entry(element, 'K'));
    const list = kids instanceof PDFArray ? kids.asArray() : kids === undefined ? [] : [entry(element, 'K') ?? kids];
    const page = entry(element, 'Pg');
    const kept = list.filter((kid) => {
      const value = resolve(context, kid);
      if (value instanceof PDFNumber) return !isGone(page);
      if (!(value instanceof PDFDict)) return true;
      const type = asName(context, entry(value, 'Type'));
      if (type === 'MCR') return !isGone(entry(value, 'Pg') ?? page) || entry(value, 'Stm') !== undefined;
      if (type !== 'OBJR') waiting.push(value);
      return true;
    });
    if (kept.length === list.length) continue;
    setEntry(element, 'K', kept.length === 0 ? undefined : arrayOf(context, kept));
    if (kept.length === 0) for (const key of SPEAKING) setEntry(element, key, undefined);
  }
  const keys = new Set<number>();
  for (const dict of pages.keys()) {
    const key = asNumber(context, entry(dict, 'StructParents'));
    if (key !== undefined) keys.add(key);
    setEntry(dict, 'StructParents', undefined);
  }
  if (keys.size > 0 && entry(root, 'ParentTree') !== undefined)
    setEntry(
      root,
      'ParentTree',
      writeNumberTree(
        context,
        [...readNumberTree(context, entry(root, 'ParentTree'))].filter(([key]) => !keys.has(key)),
      ),
    );
}
