import { PDFArray, type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import { arrayOf, asDict, asName, catalogOf, entry, resolve, setEntry } from '../../file/objects/index.js';

const MAX_ELEMENTS = 500_000;

/** Removes references to these objects from the structure tree (ISO 32000-1, 14.7.4.3). The elements stay. */
export function dropTagReferences(context: PDFContext, objects: ReadonlySet<PDFObject>): void {
  const catalog = catalogOf(context);
  const root =
    catalog === undefined || objects.size === 0 ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  const waiting = [root];
  const seen = new Set<PDFDict>();
  while (waiting.length > 0 && seen.size < MAX_ELEMENTS) {
    const element = waiting.pop();
    if (element === undefined || seen.has(element)) continue;
    seen.add(element);
    const kids = resolve(context, entry(element, 'K'));
    const list = kids instanceof PDFArray ? kids.asArray() : kids instanceof PDFDict ? [kids] : [];
    const kept = list.filter((kid) => {
      const dict = asDict(context, kid);
      return (
        dict === undefined ||
        asName(context, entry(dict, 'Type')) !== 'OBJR' ||
        !objects.has(resolve(context, entry(dict, 'Obj')) ?? dict)
      );
    });
    if (kept.length < list.length) setEntry(element, 'K', kept.length === 0 ? undefined : arrayOf(context, kept));
    for (const kid of kept) waiting.push(asDict(context, kid));
  }
}
