import { defineOperation, pageNumbersField, selectPages, shown } from '@quire/registry';
import { noneWhenOutOfRange } from '../functions/chosen-pages.js';

interface FilterContainsTextParams {
  text?: string;
  pageNumbers: string;
}

/** Keeps a PDF that holds a text on one of the chosen pages, and drops every other. */
export const filterContainsText = defineOperation<FilterContainsTextParams>({
  path: 'filter/filter-contains-text',
  since: '0.1.0',
  summary: 'Keep a PDF that contains a text',
  title: 'Filter by text',
  icon: 'text-search',
  order: 10,
  keywords: ['search', 'condition', 'word'],
  notes:
    'Searches page by page, case-sensitive; a phrase across a line break does not match. Without `text`, any ' +
    'text keeps the file. Pages that do not exist match nothing.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterContainsTextParams, true>({
      text: shown(
        joi.string().allow('').max(100_000).description('Text to look for; any text when absent').example('Invoice'),
        { help: 'Keeps the file if it contains this text; any text if empty.' },
      ),
      pageNumbers: shown(
        pageNumbersField(joi, 'Pages to look at: numbers, ranges and formulas in n, separated by commas, or all'),
        { label: 'Pages to look at' },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'PAGES_INVALID'],
  examples: [
    {
      title: 'a text on the second page',
      files: ['three-pages.pdf'],
      params: { text: 'Second sheet' },
      expect: { pages: [3], names: ['three-pages.pdf'] },
    },
    {
      title: 'not on the pages that are looked at',
      files: ['three-pages.pdf'],
      params: { text: 'Second sheet', pageNumbers: '1,3' },
      expect: { dropped: true },
    },
    { title: 'any text', files: ['three-pages.pdf'], params: {}, expect: { pages: [3] } },
    {
      title: 'an invalid page list',
      files: ['three-pages.pdf'],
      params: { text: 'Second', pageNumbers: 'even' },
      expect: { refused: 'PAGES_INVALID' },
    },
  ],
  run: async (file, { text, pageNumbers }, ctx) => {
    const { containsText } = await import('@quire/document/content/text');
    const choose = noneWhenOutOfRange((pageCount) => selectPages(pageNumbers, pageCount));
    return (await containsText({ path: file.path() }, text, choose)) ? [ctx.keep(file)] : [];
  },
});
