import type { PDFContext } from 'pdf-lib';
import { eachPage, type PageEntry } from '../../structure/pages/index.js';
import { openLazily } from '../reader/index.js';
import { type PdfInput, withSource } from '../source/index.js';
import { openPdf } from './open-pdf.js';

/** Returns the result of `fn` for the first page, without reading any other. Throws the errors of `openPdf`. */
export async function withFirstPage<T>(input: PdfInput, fn: (context: PDFContext, page: PageEntry) => T): Promise<T> {
  return withSource(input, async (source) => {
    try {
      const { context } = openLazily(source);
      for (const page of eachPage(context)) return fn(context, page);
    } catch {
      // A full open either repairs the document or explains what is wrong.
    }
    const { document, pages } = await openPdf(source);
    const [page] = pages;
    if (page === undefined) throw new RangeError('an opened document has a page');
    return fn(document.context, page);
  });
}
