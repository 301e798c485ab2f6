import { defineOperation, type OutputFile, pageNumbersField, selectPages, shown, tokens } from '@quire/registry';

interface SplitPagesParams {
  pageNumbers: string;
}

/** Splits a PDF after given pages (`docs/interface/general.yml`, split-pages). */
export const splitPages = defineOperation<SplitPagesParams>({
  path: 'general/split-pages',
  since: '0.1.0',
  summary: 'Split a PDF after given pages',
  title: 'Split at pages',
  icon: 'split',
  order: 20,
  keywords: ['divide', 'separate', 'cut', 'extract pages', 'burst'],
  notes:
    'Each selected page is the last page of a part; the last page of the document always ends one. A part ' +
    'contains nothing of any other page: no text, image, bookmark, link or form field. Attachments of the ' +
    'document are not included in the parts.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}_split' }, pages: 'same' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<SplitPagesParams, true>({
      pageNumbers: shown(
        pageNumbersField(
          joi,
          'Last pages of the parts: numbers, ranges and formulas with n, separated by commas (1,3,5-9 or 2n-1), or all',
        ),
        { label: 'Split after pages', help: 'The last page of each part. Split after every page: all.' },
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
  ],
  examples: [
    {
      title: 'after every page',
      files: ['two-pages.pdf'],
      params: { pageNumbers: 'all' },
      expect: { pages: [1, 1], names: ['two-pages_1.pdf', 'two-pages_2.pdf'] },
    },
    {
      title: 'split points in any order',
      files: ['handbook.pdf'],
      params: { pageNumbers: '3,1' },
      expect: { pages: [1, 2, 1] },
    },
    {
      title: 'no page number',
      files: ['two-pages.pdf'],
      params: { pageNumbers: 'even' },
      expect: { refused: 'PAGES_INVALID' },
    },
  ],
  run: async (file, { pageNumbers }, ctx) => {
    const { splitDocument } = await import('../functions/split-document.js');
    const outputs: OutputFile[] = [];
    const folder = await ctx.folder();
    const cuts = (pageCount: number): number[] => selectPages(pageNumbers, pageCount);
    await splitDocument(file.path(), cuts, (n) => `${folder}/${n}.pdf`, {
      modified: ctx.use(tokens.clock).now(),
      onPart: async (path, n, parts) => {
        ctx.signal.throwIfAborted();
        outputs.push(await ctx.adopt(file, path, { n }));
        ctx.progress(n, parts);
      },
    });
    return outputs;
  },
});
