import { guardDocument, withPdf } from '@quire/document/open';
import { extractToFile, partsOfCuts, SplitSource } from '@quire/document/split';

/** How to split. */
export interface SplitOptions {
  readonly modified?: Date;
  /** Called after each part with its path, its number from 1 and how many there will be; what it throws ends the work. */
  readonly onPart: (path: string, n: number, parts: number) => void | Promise<void>;
}

/**
 * Cuts a document into parts, one file each at `targetOf(n)`: `cutsOf` gets the page count and gives the 0-based indexes of the parts' last
 * pages. Each part holds nothing of any other part's pages. Errors: those of `openPdf`, and what `cutsOf` refuses with.
 */
export async function splitDocument(source: string, cutsOf: (pageCount: number) => Iterable<number>, targetOf: (n: number) => string, { modified, onPart }: SplitOptions): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const parts = partsOfCuts(cutsOf(opened.pages.length), opened.pages.length);
    const split = await guardDocument('fileInput', () => new SplitSource(opened));
    const options = modified === undefined ? {} : { modified };
    for (const [at, part] of parts.entries()) {
      const path = targetOf(at + 1);
      await guardDocument('fileInput', () => extractToFile(split, part, path, options));
      await onPart(path, at + 1, parts.length);
    }
  });
}
