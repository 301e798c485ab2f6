import { type DocumentPart, splitToFiles } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import { type BlankRule, findBlankPages, type FindOptions } from '@quire/document/engines/rendering';

/** Names of the parts (`docs/interface/misc.yml`, remove-blanks). */
export type BlankPart = 'nonBlankPages' | 'blankPages' | 'allBlankPages';

export interface SeparateOptions extends FindOptions {
  readonly modified: Date;
  /** Called with the path of each part. */
  readonly onPart: (path: string, part: BlankPart) => void | Promise<void>;
}

/**
 * Separates blank pages from the others into files at `targetOf(n)`: first the pages that are not blank, then the blank
 * ones; a single file if all are blank or none is. Links, bookmarks and form fields stay with their pages;
 * document-level content stays with the pages that are not blank. Throws the errors of opening, and PDF_DAMAGED if two
 * readers find different page counts.
 */
export async function separateBlankPages(
  source: string,
  targetOf: (n: number) => string,
  rule: BlankRule,
  options: SeparateOptions,
): Promise<void> {
  const blank = await findBlankPages(source, rule, options);
  const pagesThat = (wanted: boolean): number[] => blank.flatMap((is, page) => (is === wanted ? [page] : []));
  const [kept, empty] = [pagesThat(false), pagesThat(true)];
  const named: (DocumentPart & { readonly name: BlankPart })[] =
    kept.length === 0
      ? [{ name: 'allBlankPages', pages: empty, keepDocumentLevel: true }]
      : [
          { name: 'nonBlankPages', pages: kept, keepDocumentLevel: true },
          ...(empty.length === 0 ? [] : [{ name: 'blankPages' as const, pages: empty }]),
        ];
  const partsOf = (pageCount: number): DocumentPart[] => {
    if (pageCount !== blank.length)
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'the number of pages is not clear' });
    return named;
  };
  const { modified, signal, onPart } = options;
  await splitToFiles(source, partsOf, targetOf, {
    modified,
    onPart: async (path, n) => {
      signal?.throwIfAborted();
      await onPart(path, named[n - 1]!.name);
    },
  });
}
