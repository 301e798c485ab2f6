import { baseName, defineOperation, integerField, maxDpi, numberField, type OutputFile, tokens } from '@quire/registry';

interface RemoveBlanksParams {
  threshold: number;
  whitePercent: number;
}

/** Separates blank pages from the others (`docs/interface/misc.yml`, remove-blanks). */
export const removeBlanks = defineOperation<RemoveBlanksParams>({
  path: 'misc/remove-blanks',
  since: '0.2.0',
  summary: 'Separate blank pages from the others',
  notes:
    'A page with text is not blank, one that draws nothing is. Every other page is drawn at the setting ' +
    'system.maxDPI, as far as the pixel limits allow, and measured. The zip holds `<base>_nonBlankPages.pdf`, ' +
    'and `<base>_blankPages.pdf` where pages are blank; if all are, `<base>_allBlankPages.pdf` alone.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', many: { archive: '{base}_processed' }, pages: 'same' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<RemoveBlanksParams, true>({
      threshold: integerField(joi, 'A pixel is white when none of its channels is below 255 minus this')
        .min(0)
        .max(255)
        .default(10)
        .example(10),
      whitePercent: numberField(joi, 'A page is blank from this share of white pixels on, in percent')
        .min(0.1)
        .max(100)
        .default(99.9)
        .example(99.9),
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
      title: 'no blank page',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['picture_nonBlankPages.pdf'] },
    },
    {
      title: 'blank pages only',
      files: ['three-blank-pages.pdf'],
      params: {},
      expect: { pages: [3], names: ['three-blank-pages_allBlankPages.pdf'] },
    },
    {
      title: 'a share that is none',
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
