import { guardDocument, withPdf } from '@quire/document/file/open';
import { extractToFile } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';

/**
 * Removes pages with everything that only they used, and writes the result to `target`: `pagesOf` receives the page
 * count and returns the 0-based indexes to remove. Bookmarks, links, labels and form fields that led to them are
 * removed; document-level content stays. Throws the errors of `openPdf` and of `pagesOf`, PAGES_NONE_LEFT.
 */
export async function removePagesFrom(
  source: string,
  target: string,
  found: string,
  pagesOf: (pageCount: number) => Iterable<number>,
  modified?: Date,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const removed = new Set(pagesOf(opened.pages.length));
    const kept = opened.pages.map((_page, index) => index).filter((index) => !removed.has(index));
    if (kept.length === 0) {
      throw new InputError('PAGES_NONE_LEFT', { field: 'pageNumbers', found }, [
        { pointer: '/pageNumbers', detail: 'selects every page' },
      ]);
    }
    await guardDocument('fileInput', () =>
      extractToFile(opened, kept, target, { keepDocumentLevel: true, ...(modified === undefined ? {} : { modified }) }),
    );
  });
}
