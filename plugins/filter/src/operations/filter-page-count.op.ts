import { type Comparator, comparatorField, compares, defineOperation, integerField, shown } from '@quire/registry';

interface FilterPageCountParams {
  pageCount: number;
  comparator: Comparator;
}

/** Keeps a PDF whose page count compares with the given one as asked, and drops every other. */
export const filterPageCount = defineOperation<FilterPageCountParams>({
  path: 'filter/filter-page-count',
  since: '0.1.0',
  summary: 'Keep a PDF by its page count',
  title: 'Filter by page count',
  icon: 'hash',
  order: 30,
  keywords: ['number of pages', 'condition'],
  notes:
    "The document's own count is compared with the given one: 5 pages, `pageCount=3`, `Greater` keeps the " +
    'file. A file that is not kept answers 204 and leaves a pipeline.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterPageCountParams, true>({
      pageCount: shown(integerField(joi, 'Page count to compare with').default(0).example(3), {
        help: '',
        order: 1,
        unit: 'pages',
      }),
      comparator: comparatorField(joi),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a longer document is kept',
      files: ['three-pages.pdf'],
      params: { pageCount: 2, comparator: 'Greater' },
      expect: { pages: [3], names: ['three-pages.pdf'] },
    },
    {
      title: 'a document of that length is not longer',
      files: ['three-pages.pdf'],
      params: { pageCount: 3, comparator: 'Greater' },
      expect: { dropped: true },
    },
    {
      title: 'a damaged document is refused',
      files: ['damaged.pdf'],
      params: { pageCount: 3, comparator: 'Less' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { pageCount, comparator }, ctx) => {
    const { countPages } = await import('../functions/page-facts.js');
    return compares(await countPages(file.path()), comparator, pageCount) ? [ctx.keep(file)] : [];
  },
});
