import { setEntry } from '@quire/document/file/objects';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '@quire/document/file/open';
import { writePageTree } from '@quire/document/structure/pages';
import { PageRepeats, readPageLabels, writePageLabels } from '@quire/document/structure/pages';
import { extractToFile } from '@quire/document/structure/split';
import type { PDFRef } from 'pdf-lib';

/**
 * Writes the pages in a new order to `target`: `orderOf` receives the page count and returns 0-based indexes. Pages
 * that it does not list are removed with everything that only they used; a repeated page becomes a new page with the
 * same content. Labels stay with their pages. Throws the errors of `openPdf` and of `orderOf`, INPUT_TOO_COMPLEX for
 * too many repeats.
 */
export async function rearrangePages(
  source: string,
  target: string,
  orderOf: (pageCount: number) => readonly number[],
  modified?: Date,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const order = orderOf(opened.pages.length);
    const times = modified === undefined ? {} : { modified };
    await guardDocument('fileInput', () => {
      // If every page stays, nothing must be removed, not even article threads and unusual forms.
      if (new Set(order).size < opened.pages.length)
        return extractToFile(opened, order, target, { keepDocumentLevel: true, ...times });
      orderPages(opened, order);
      writePdf(opened, target, { mode: 'rewrite', ...times });
    });
  });
}

function orderPages({ document, pages }: OpenedPdf, order: readonly number[]): void {
  const { context, catalog } = document;
  const labels = readPageLabels(context, pages.length);
  for (const { dict, inherited } of pages) for (const [key, value] of inherited) setEntry(dict, key, value);
  const repeats = new PageRepeats(context);
  const seen = new Set<PDFRef>();
  const placed = order.flatMap((index) => {
    const page = pages[index];
    if (page === undefined) return [];
    const again = seen.has(page.ref);
    seen.add(page.ref);
    return [again ? repeats.repeat({ ...page, inherited: new Map() }) : page.ref];
  });
  repeats.finish();
  setEntry(catalog, 'Pages', writePageTree(context, placed));
  if (labels !== undefined)
    setEntry(
      catalog,
      'PageLabels',
      writePageLabels(
        context,
        order.flatMap((index) => labels[index] ?? []),
      ),
    );
}
