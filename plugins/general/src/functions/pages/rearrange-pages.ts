import { setEntry } from '@quire/document/file/objects';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '@quire/document/file/open';
import { writePageTree } from '@quire/document/structure/pages';
import { PageRepeats, readPageLabels, writePageLabels } from '@quire/document/structure/pages';
import { extractToFile } from '@quire/document/structure/split';
import type { PDFRef } from 'pdf-lib';

/**
 * Puts pages into a new order, into a new file at `target`: `orderOf` gets the page count and gives 0-based indexes.
 * Pages that it does not name go with everything that only they used; one named again becomes a page of its own over
 * the same content. Labels stay with their pages. Errors: those of `openPdf`, what `orderOf` refuses with,
 * INPUT_TOO_COMPLEX for too many repeats.
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
      // Where every page stays, nothing of the document has a reason to go: threads and forms of other kinds are kept
      // as they are.
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
