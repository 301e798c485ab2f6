import { guardDocument, openPdf } from '@quire/document/open';
import { extractPages, partsOfCuts, SplitSource } from '@quire/document/split';

/** How to split. */
export interface SplitOptions {
  readonly modified?: Date;
}

/**
 * Cuts a document into parts, one after the other: `cutsOf` gets the page count and gives the 0-based indexes of the parts' last pages.
 * Each part holds nothing of any other part's pages. Errors: those of `openPdf`, and what `cutsOf` refuses with.
 */
export async function* splitDocument(bytes: Uint8Array, cutsOf: (pageCount: number) => Iterable<number>, options: SplitOptions = {}): AsyncGenerator<{ readonly bytes: Uint8Array; readonly n: number; readonly parts: number }> {
  const opened = await openPdf(bytes);
  const parts = partsOfCuts(cutsOf(opened.pages.length), opened.pages.length);
  const source = await guardDocument('fileInput', () => new SplitSource(opened));
  for (const [at, part] of parts.entries()) {
    yield { bytes: await guardDocument('fileInput', () => extractPages(source, part, options)), n: at + 1, parts: parts.length };
  }
}
