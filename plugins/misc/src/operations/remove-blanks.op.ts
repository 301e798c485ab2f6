import {
  baseName,
  defineOperation,
  integerField,
  maxDpi,
  numberField,
  type OutputFile,
  shown,
  tokens,
} from '@quire/registry';

interface RemoveBlanksParams {
  threshold: number;
  whitePercent: number;
}

/** Separates blank pages from the others (`docs/interface/misc.yml`, remove-blanks). */
export const removeBlanks = defineOperation<RemoveBlanksParams>({
  path: 'misc/remove-blanks',
  since: '0.2.0',
  summary: 'Remove blank pages',
  title: 'Remove blank pages',
  icon: 'file-x',
  order: 100,
  keywords: ['empty pages', 'delete blank', 'white pages', 'clean up', 'scan'],
  notes:
    'A page with text is not blank; a page that draws nothing is blank. Every other page is rendered at the ' +
    'setting system.maxDPI, as far as the pixel limits allow, and its white pixels are counted. The zip holds ' +
    '`<base>_nonBlankPages.pdf`, and also `<base>_blankPages.pdf` if there are blank pages; if all pages are ' +
    'blank, it holds only `<base>_allBlankPages.pdf`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', many: { archive: '{base}_processed' }, pages: 'same' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<RemoveBlanksParams, true>({
      threshold: shown(
        integerField(joi, 'A pixel counts as white if all its channels are at least 255 minus this value')
          .min(0)
          .max(255)
          .default(10)
          .example(10),
        {
          label: 'Tolerance for white',
          help: 'A pixel is white if all its channels are at least 255 minus this value.',
          advanced: true,
        },
      ),
      whitePercent: shown(
        numberField(joi, 'Percentage of white pixels from which a page counts as blank')
          .min(0.1)
          .max(100)
          .default(99.9)
          .example(99.9),
        { label: 'Blank from', help: 'Share of white pixels from which a page is blank.', unit: '%' },
      ),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'blank pages between others',
      files: ['blank-pages.pdf'],
      params: { threshold: 10, whitePercent: 99.9 },
      expect: { pages: [2, 3], names: ['blank-pages_nonBlankPages.pdf', 'blank-pages_blankPages.pdf'] },
    },
    {
      title: 'no blank pages',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['picture_nonBlankPages.pdf'] },
    },
    {
      title: 'only blank pages',
      files: ['three-blank-pages.pdf'],
      params: {},
      expect: { pages: [3], names: ['three-blank-pages_allBlankPages.pdf'] },
    },
    {
      title: 'a percentage out of range',
      files: ['blank-pages.pdf'],
      params: { whitePercent: 0 },
      expect: { refused: 'INPUT_INVALID' },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, rule, ctx) => {
    const { separateBlankPages } = await import('../functions/scans/separate-blank-pages.js');
    const outputs: OutputFile[] = [];
    const folder = await ctx.folder();
    await separateBlankPages(file.path(), (n) => `${folder}/${n}.pdf`, rule, {
      maxDpi: maxDpi(ctx),
      modified: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
      onPart: async (path, part) =>
        void outputs.push(await ctx.adopt(file, path, { name: `${baseName(file.name)}_${part}` })),
    });
    return outputs;
  },
});
