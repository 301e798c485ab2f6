import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { besideContent, dropUnusedXObjects } from '../../content/index.js';
import { asDict, asName, entry, resolve } from '../../file/objects/index.js';
import { pageAttribute, type PageEntry } from '../../structure/pages/index.js';

/**
 * Removes images and forms that were removed from one page from the resources of other pages that name but do not draw
 * them: many documents share one resource dictionary between all pages. Only such pages are read.
 */
export function dropShared(context: PDFContext, pages: readonly PageEntry[], left: ReadonlySet<PDFRawStream>): void {
  if (left.size === 0) return;
  const known = new Map<PDFDict, boolean>();
  const names = (value: PDFObject | undefined): boolean => {
    const resources = asDict(context, value);
    if (resources === undefined) return false;
    const cached = known.get(resources);
    if (cached !== undefined) return cached;
    known.set(resources, false);
    let found = false;
    for (const object of asDict(context, entry(resources, 'XObject'))?.values() ?? []) {
      const stream = resolve(context, object);
      if (!(stream instanceof PDFRawStream)) continue;
      if (
        left.has(stream) ||
        (asName(context, entry(stream.dict, 'Subtype')) !== 'Image' && names(entry(stream.dict, 'Resources')))
      )
        found = true;
    }
    known.set(resources, found);
    return found;
  };
  const sharing = pages.filter((page) => names(pageAttribute(page, 'Resources')));
  if (sharing.length > 0) dropUnusedXObjects(context, sharing, besideContent(context, sharing));
}
