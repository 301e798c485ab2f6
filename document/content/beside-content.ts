import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFStream } from 'pdf-lib';
import { asDict, asName, catalogOf, entry, resolve } from '../file/objects/index.js';
import { pageAttribute, type PageEntry } from '../structure/pages/index.js';

/** Keys that lead from appearances to the rest of the document. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'Page',
  'Pages',
  'Catalog',
  'StructTreeRoot',
  'StructElem',
  'Outlines',
]);
/** Resources whose content is drawn without a `Do` in the content at hand: patterns, glyphs, soft masks. */
const INDIRECT = ['Pattern', 'Font', 'ExtGState'] as const;

/**
 * Returns every dictionary and stream that is drawn outside page and form content: by annotations, form defaults,
 * patterns, glyphs and soft masks. Edits of content must not change or drop any of these.
 */
export function besideContent(context: PDFContext, pages: readonly PageEntry[]): ReadonlySet<PDFObject> {
  const found = new Set<PDFObject>();
  const catalog = catalogOf(context);
  const waiting: (PDFObject | undefined)[] = [catalog === undefined ? undefined : entry(catalog, 'AcroForm')];
  const resources = new Set<PDFDict>();
  const open: (PDFObject | undefined)[] = [];
  for (const page of pages) {
    waiting.push(entry(page.dict, 'Annots'));
    open.push(pageAttribute(page, 'Resources'));
  }
  while (open.length > 0) {
    const dict = asDict(context, open.pop());
    if (dict === undefined || resources.has(dict)) continue;
    resources.add(dict);
    for (const kind of INDIRECT) waiting.push(entry(dict, kind));
    for (const value of asDict(context, entry(dict, 'XObject'))?.values() ?? []) {
      const stream = resolve(context, value);
      if (stream instanceof PDFStream && asName(context, entry(stream.dict, 'Subtype')) !== 'Image')
        open.push(entry(stream.dict, 'Resources'));
    }
  }
  while (waiting.length > 0) {
    const object = resolve(context, waiting.pop());
    if (object === undefined || found.has(object)) continue;
    if (object instanceof PDFArray) {
      found.add(object);
      for (const value of object.asArray()) waiting.push(value);
      continue;
    }
    const dict = object instanceof PDFStream ? object.dict : object;
    if (!(dict instanceof PDFDict) || ELSEWHERE.has(asName(context, entry(dict, 'Type')) ?? '')) continue;
    found.add(object);
    for (const value of dict.values()) waiting.push(value);
  }
  return found;
}
