import type { PDFContext } from 'pdf-lib';
import { eachPage, type PageEntry } from '../../structure/pages/index.js';
import { openLazily } from '../reader/index.js';
import { type PdfInput, withSource } from '../source/index.js';
import { openPdf } from './open-pdf.js';

/** Gives what `fn` makes of the first page, reading no other. Errors: those of `openPdf`. */
export async function withFirstPage<T>(input: PdfInput, fn: (context: PDFContext, page: PageEntry) => T): Promise<T> {
  return withSource(input, async (source) => {
    try {
      const { context } = openLazily(source);
      for (const page of eachPage(context)) return fn(context, page);
    } catch {
      // The long way says what is wrong, or finds a reader for which nothing is.
    }
    const { document, pages } = await openPdf(source);
    const [page] = pages;
    if (page === undefined) throw new RangeError('an opened document has a page');
    return fn(document.context, page);
  });
}
