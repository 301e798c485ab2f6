import { booleanField, defineOperation, integerField, type OutputFile, shown, tokens } from '@quire/registry';

interface SplitPdfByChaptersParams {
  includeMetadata: boolean;
  allowDuplicates: boolean;
  bookmarkLevel: number;
}

/** Splits a PDF at its bookmarks (`docs/interface/general.yml`, split-pdf-by-chapters). */
export const splitPdfByChapters = defineOperation<SplitPdfByChaptersParams>({
  path: 'general/split-pdf-by-chapters',
  since: '0.2.0',
  summary: 'Split a PDF at its bookmarks',
  title: 'Split at bookmarks',
  icon: 'bookmark',
  order: 90,
  keywords: ['bookmarks', 'outline', 'toc', 'divide', 'separate'],
  notes:
    'A part runs from its bookmark to the page before the next one; pages before the first bookmark are in no ' +
    'part. Parts are named after their number from 0, padded with zeros, and their title. Bookmarks that start ' +
    'on the same page as the next one are merged with it, titles included, unless `allowDuplicates` keeps them ' +
    'as separate parts of that one page. A part contains nothing of any other page.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}' }, pages: 'any' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<SplitPdfByChaptersParams, true>({
      includeMetadata: shown(
        booleanField(joi, 'Copy title, author and other metadata of the document into each part'),
        { label: 'Copy the metadata' },
      ),
      allowDuplicates: shown(
        booleanField(joi, 'Keep every bookmark that starts on the same page as the next one as a separate part'),
        {
          label: 'Keep bookmarks of the same page',
          help: 'Each bookmark becomes a part, even where the next one starts on the same page.',
        },
      ),
      bookmarkLevel: shown(
        integerField(joi, 'Depth of the bookmarks that count as chapters; 0 is the top level only')
          .min(0)
          .default(0)
          .example(0),
        { label: 'Depth of bookmarks', help: 'Bookmarks down to this depth are chapters; 0 is the top level only.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'PDF_NO_BOOKMARKS'],
  examples: [
    {
      title: 'at the top level',
      files: ['handbook.pdf'],
      params: { bookmarkLevel: 0 },
      expect: { pages: [1, 2], names: ['0 Chapter one.pdf', '1 Chapter two.pdf'] },
    },
    { title: 'no bookmarks', files: ['two-pages.pdf'], params: {}, expect: { refused: 'PDF_NO_BOOKMARKS' } },
  ],
  run: async (file, params, ctx) => {
    const { splitByChapters } = await import('../functions/chapters.js');
    const outputs: OutputFile[] = [];
    const folder = await ctx.folder();
    await splitByChapters(file.path(), (n) => `${folder}/${n}.pdf`, {
      ...params,
      modified: ctx.use(tokens.clock).now(),
      onPart: async (path, name, n, parts) => {
        ctx.signal.throwIfAborted();
        outputs.push(await ctx.adopt(file, path, { n, name }));
        ctx.progress(n, parts);
      },
    });
    return outputs;
  },
});
