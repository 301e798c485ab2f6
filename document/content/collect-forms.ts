import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asDict, asName, entry, resolve } from '../file/objects/index.js';
import { pageAttribute, type PageEntry } from '../structure/pages/index.js';

/**
 * Every form XObject that the resources of these pages name, and those named in their resources in turn, drawn or not.
 */
export function collectForms(context: PDFContext, pages: readonly PageEntry[]): Set<PDFRawStream> {
  const forms = new Set<PDFRawStream>();
  const seen = new Set<PDFDict>();
  const waiting: (PDFObject | undefined)[] = pages.map((page) => pageAttribute(page, 'Resources'));
  while (waiting.length > 0) {
    const resources = asDict(context, waiting.pop());
    if (resources === undefined || seen.has(resources)) continue;
    seen.add(resources);
    for (const value of asDict(context, entry(resources, 'XObject'))?.values() ?? []) {
      const stream = resolve(context, value);
      if (!(stream instanceof PDFRawStream) || asName(context, entry(stream.dict, 'Subtype')) === 'Image') continue;
      forms.add(stream);
      waiting.push(entry(stream.dict, 'Resources'));
    }
  }
  return forms;
}
