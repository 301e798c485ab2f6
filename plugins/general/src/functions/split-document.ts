import { partsOfCuts, splitToFiles, type SplitToFilesOptions } from '@quire/document/structure/split';

/**
 * Cuts a document into parts, one file each at `targetOf(n)`: `cutsOf` gets the page count and gives the 0-based
 * indexes of the parts' last pages. Each part holds nothing of any other part's pages. Errors: those of `openPdf`, and
 * what `cutsOf` refuses with.
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
