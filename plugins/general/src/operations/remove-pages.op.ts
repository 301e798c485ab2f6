import { defineOperation, pageNumbersField, selectPages, shown, tokens } from '@quire/registry';

interface RemovePagesParams {
  pageNumbers: string;
}

/** Deletes the selected pages (`docs/interface/general.yml`, remove-pages). */
export const removePages = defineOperation<RemovePagesParams>({
  path: 'general/remove-pages',
  since: '0.1.0',
  summary: 'Delete pages',
  title: 'Delete pages',
  icon: 'trash-2',
  order: 50,
  screen: 'organise',
  keywords: ['drop pages', 'cut pages', 'discard'],
  notes:
    'Everything that only the removed pages used is removed with them: content, links and bookmarks to them, ' +
    'and form fields without another widget.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_removed_pages',
    pages: (inputPages, { pageNumbers }) => (inputPages[0] ?? 0) - selectPages(pageNumbers, inputPages[0] ?? 0).length,
  },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RemovePagesParams, true>({
      pageNumbers: shown(
        pageNumbersField(
          joi,
          'Pages to remove: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1)',
        ).required(),
        { label: 'Pages to delete', help: 'Such as 1,3,5-9 or 2n-1.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
    'PAGES_NONE_LEFT',
  ],
  examples: [
    {
      title: 'the second page',
      files: ['two-pages.pdf'],
      params: { pageNumbers: '2' },
      expect: { pages: [1], names: ['two-pages_removed_pages.pdf'] },
    },
    {
      title: 'every odd page except the first',
      files: ['handbook.pdf'],
      params: { pageNumbers: '2n+1' },
      expect: { pages: [3] },
    },
    {
      title: 'every page',
      files: ['two-pages.pdf'],
      params: { pageNumbers: 'all' },
      expect: { refused: 'PAGES_NONE_LEFT' },
    },
  ],
  run: async (file, { pageNumbers }, ctx) => {
    const { removePagesFrom } = await import('../functions/pages/remove-pages.js');
    const pagesOf = (pageCount: number): number[] => selectPages(pageNumbers, pageCount);
    const target = `${await ctx.folder()}/removed.pdf`;
    await removePagesFrom(file.path(), target, pageNumbers, pagesOf, ctx.use(tokens.clock).now());
    return [await ctx.adopt(file, target)];
  },
});
