import { type DocumentPart, splitToFiles } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import { type BlankRule, findBlankPages, type FindOptions } from '@quire/document/engines/rendering';

/** What the parts are called (`docs/interface/misc.yml`, remove-blanks). */
export type BlankPart = 'nonBlankPages' | 'blankPages' | 'allBlankPages';

/** How parts are written. */
export interface SeparateOptions extends FindOptions {
  readonly modified: Date;
  /** Called with the path of each part. */
  readonly onPart: (path: string, part: BlankPart) => void | Promise<void>;
}

/**
 * Separates blank from other pages into files at `targetOf(n)`: the pages that are not blank, then the blank ones; one
 * file alone where there are only the ones or only the others. Links, bookmarks and fields follow their pages, and what
 * belongs to the document stays with those that are not blank. Errors: those of opening; PDF_DAMAGED when readers
 * disagree about the pages.
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
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: 'readers disagree about its number of pages' });
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
