import { defineOperation, pageNumbersField, selectPages, shown, tokens } from '@quire/registry';
import { orderModes, type OrderMode, pageOrder } from '../functions/pages/page-order.js';

interface RearrangePagesParams {
  pageNumbers: string;
  customMode: OrderMode;
}

const orderOf =
  ({ pageNumbers, customMode }: Readonly<RearrangePagesParams>, maxPages: number) =>
  (pageCount: number): number[] =>
    pageOrder(
      { mode: customMode, pageNumbers, select: (pages) => selectPages(pageNumbers, pages), maxPages },
      pageCount,
    );

/** Reorders, removes or repeats pages (`docs/interface/general.yml`, rearrange-pages). */
export const rearrangePages = defineOperation<RearrangePagesParams>({
  path: 'general/rearrange-pages',
  since: '0.2.0',
  summary: 'Reorder, remove or duplicate pages',
  title: 'Reorder pages',
  icon: 'arrow-down-up',
  order: 30,
  screen: 'organise',
  keywords: ['sort', 'organize', 'move pages', 'copy pages', 'reverse', 'extract pages', 'booklet order'],
  notes:
    'CUSTOM puts the listed pages in the listed order, each of them once; pages that are not listed are removed ' +
    'together with everything that only they used. `general/assemble-pages` can use a page more than once. ' +
    'DUPLEX_SORT gives 1, n, 2, n-1 and so on; with an odd page count the middle page is last, while ' +
    'BOOKLET_SORT leaves it out. SIDE_STITCH_BOOKLET_SORT orders each four pages as 4, 1, 2, 3 and fills up with the last page. DUPLICATE repeats every page `pageNumbers` times (2 if that ' +
    'is not a number). A copy of a page has the same content and its own annotations; a form field on it ' +
    'remains one field with one value.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_rearranged',
    pages: (inputPages, params) => orderOf(params, Infinity)(inputPages[0] ?? 0).length,
  },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RearrangePagesParams, true>({
      pageNumbers: shown(
        pageNumbersField(
          joi,
          'New order for CUSTOM: numbers, ranges and formulas with n, separated by commas (3,1,5-9 or 2n-1), or ' +
            'all; for DUPLICATE the number of copies of each page',
        ),
        {
          label: 'New order',
          help: 'Pages in their new order, such as 3,1,5-9; to repeat every page, the number of copies.',
          widget: 'pageOrder',
          when: { customMode: ['CUSTOM', 'DUPLICATE'] },
        },
      ),
      customMode: shown(
        joi
          .string()
          .trim()
          .uppercase()
          .empty('')
          .valid(...orderModes)
          .default('CUSTOM')
          .description('How to order the pages, in upper or lower case; CUSTOM uses pageNumbers')
          .example('REVERSE_ORDER'),
        {
          label: 'How to order',
          help: '',
          order: -1,
          options: {
            CUSTOM: 'By page numbers',
            REVERSE_ORDER: 'From last to first',
            DUPLEX_SORT: 'Fronts, then backs (duplex scan)',
            BOOKLET_SORT: 'Booklet',
            SIDE_STITCH_BOOKLET_SORT: 'Side-stitched booklet',
            ODD_EVEN_SPLIT: 'Odd pages, then even pages',
            REMOVE_FIRST: 'Remove the first page',
            REMOVE_LAST: 'Remove the last page',
            REMOVE_FIRST_AND_LAST: 'Remove the first and the last page',
            DUPLICATE: 'Repeat every page',
          },
        },
      ),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
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
      title: 'an order of pages',
      files: ['handbook.pdf'],
      params: { pageNumbers: '4,1-2' },
      expect: { pages: [3], names: ['handbook_rearranged.pdf'] },
    },
    {
      title: 'last to first',
      files: ['handbook.pdf'],
      params: { customMode: 'REVERSE_ORDER' },
      expect: { pages: [4] },
    },
    {
      title: 'every page three times',
      files: ['handbook.pdf'],
      params: { customMode: 'DUPLICATE', pageNumbers: '3' },
      expect: { pages: [12] },
    },
    {
      title: 'no pages left',
      files: ['two-pages.pdf'],
      params: { customMode: 'REMOVE_FIRST_AND_LAST' },
      expect: { refused: 'PAGES_NONE_LEFT' },
    },
    {
      title: 'too many copies',
      files: ['two-pages.pdf'],
      params: { customMode: 'DUPLICATE', pageNumbers: '101' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const { rearrangePages: rearrange } = await import('../functions/pages/rearrange-pages.js');
    const target = `${await ctx.folder()}/rearranged.pdf`;
    const maxPages = Number(ctx.use(tokens.settings).get('limits.maxPages') ?? 50_000);
    await rearrange(file.path(), target, orderOf(params, maxPages), ctx.use(tokens.clock).now());
    return [await ctx.adopt(file, target)];
  },
});
