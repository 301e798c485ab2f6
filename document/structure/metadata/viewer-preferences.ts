import type { PDFContext, PDFDict } from 'pdf-lib';
import { asDict, entry, type ObjectCopier } from '../../file/objects/index.js';

/** Refers to page numbers of the original document (ISO 32000-1, table 150). */
const OF_ALL_PAGES: ReadonlySet<string> = new Set(['PrintPageRange']);

/** Returns the viewer preferences of a document (ISO 32000-1, 12.2), or undefined. */
export function readViewerPreferences(context: PDFContext, catalog: PDFDict): PDFDict | undefined {
  return asDict(context, entry(catalog, 'ViewerPreferences'));
}

/** Copies viewer preferences without those that only apply to all pages of the document. */
export function keepViewerPreferences(
  context: PDFContext,
  catalog: PDFDict,
  copier: ObjectCopier,
): PDFDict | undefined {
  const preferences = readViewerPreferences(context, catalog);
  return preferences === undefined ? undefined : copier.copyDict(preferences, OF_ALL_PAGES);
}
