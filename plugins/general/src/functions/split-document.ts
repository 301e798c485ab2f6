import { partsOfCuts, splitToFiles, type SplitToFilesOptions } from '@quire/document/structure/split';

/**
 * Splits a document into parts, one file each at `targetOf(n)`: `cutsOf` receives the page count and returns the
 * 0-based indexes of the parts' last pages. A part contains nothing of any other part's pages. Throws the errors of
 * `openPdf` and of `cutsOf`.
 */
export async function splitDocument(
  source: string,
  cutsOf: (pageCount: number) => Iterable<number>,
  targetOf: (n: number) => string,
  options: SplitToFilesOptions,
): Promise<void> {
  await splitToFiles(
    source,
    (count) => partsOfCuts(cutsOf(count), count).map((pages) => ({ pages })),
    targetOf,
    options,
  );
}
