import { defineOperation } from '@quire/registry';

/** Tells how many pages a PDF has (`docs/interface/analysis.yml`, page-count). */
export const pageCount = defineOperation<object>({
  path: 'analysis/page-count',
  since: '0.1.0',
  summary: 'Count the pages of a PDF',
  notes:
    'Pages that the page tree leads to are counted; what the document claims in `/Count` is not believed. Only ' +
    'the page tree is read: milliseconds, whatever the size of the file.',
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
