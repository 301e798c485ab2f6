import { defineOperation } from '@quire/registry';

export const pageCount = defineOperation<object>({
  path: 'analysis/page-count',
  name: 'countPages',
  since: '0.1.0',
  summary: 'Count the pages of a PDF',
  title: 'Count pages',
  icon: 'hash',
  order: 20,
  keywords: ['number of pages', 'how many'],
  notes:
    'Counts the pages in the page tree and ignores `/Count`. Only the page tree is read, which takes ' +
    'milliseconds for any file size.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) => joi.object({ pageCount: joi.number().integer().min(1).required().description('Pages').example(3) }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'three pages', files: ['sizes.pdf'], params: {}, expect: { json: { pageCount: 3 } } },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { inspectPdf } = await import('@quire/document/file/inspection');
    return ctx.json({ pageCount: (await inspectPdf({ path: file.path() })).pages });
  },
});
