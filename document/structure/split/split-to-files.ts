import { guardDocument, withPdf } from '../../file/open/index.js';
import { extractToFile } from './extract-pages.js';
import { SplitSource } from './split-source.js';

/** A part of a document: 0-based indexes of its pages, in order. */
export interface DocumentPart {
  readonly pages: readonly number[];
  /** As in `ExtractOptions`: for the part that continues the document. */
  readonly keepDocumentLevel?: boolean;
}

export interface SplitToFilesOptions {
  readonly modified?: Date;
  /**
   * Called after each part with its path, its number (from 1) and the number of parts; an error that it throws cancels
   * the split.
   */
  readonly onPart: (path: string, n: number, parts: number) => void | Promise<void>;
}

/**
 * Writes parts of a document to one file each at `targetOf(n)`. `partsOf` gets the page count and returns the parts. No
 * part contains anything of another part's pages. Throws the errors of `openPdf` and of `partsOf`.
 */
export async function splitToFiles(
  source: string,
  partsOf: (pageCount: number) => readonly DocumentPart[],
  targetOf: (n: number) => string,
  { modified, onPart }: SplitToFilesOptions,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const parts = partsOf(opened.pages.length);
    const split = await guardDocument('fileInput', () => new SplitSource(opened));
    for (const [at, { pages, keepDocumentLevel = false }] of parts.entries()) {
      const path = targetOf(at + 1);
      await guardDocument('fileInput', () =>
        extractToFile(split, pages, path, { keepDocumentLevel, ...(modified === undefined ? {} : { modified }) }),
      );
      await onPart(path, at + 1, parts.length);
    }
  });
}
