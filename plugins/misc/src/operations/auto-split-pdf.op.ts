import { booleanField, defineOperation, maxDpi, type OutputFile, tokens } from '@quire/registry';

interface AutoSplitPdfParams {
  duplexMode: boolean;
}

/** Splits a stack of scanned documents at printed divider sheets (`docs/interface/misc.yml`, auto-split-pdf). */
export const autoSplitPdf = defineOperation<AutoSplitPdfParams>({
  path: 'misc/auto-split-pdf',
  since: '0.2.0',
  summary: 'Split a PDF at QR code divider pages',
  notes:
    'A divider is a page with a QR code that holds exactly one of the texts of the printed sheets; it may be ' +
    'turned, light on dark, small or noisy. Dividers are left out, also on the first page, and so are parts ' +
    'without pages. Without a divider there is one part with everything. Bookmarks, links and fields follow ' +
    'their pages.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}' }, pages: 'any' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<AutoSplitPdfParams, true>({
      duplexMode: booleanField(joi, 'Leaves out the page after each divider too: the back of its sheet').example(false),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'DIVIDERS_ONLY'],
  examples: [
    {
      title: 'two letters and a trailing divider',
      files: ['dividers.pdf'],
      params: {},
      expect: { pages: [2, 1], names: ['dividers_1.pdf', 'dividers_2.pdf'] },
    },
    {
      title: 'sheets scanned on both sides',
      files: ['dividers.pdf'],
      params: { duplexMode: true },
      expect: { pages: [2] },
    },
    {
      title: 'no divider',
      files: ['blank-pages.pdf'],
      params: {},
      expect: { pages: [5], names: ['blank-pages_1.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { duplexMode }, ctx) => {
    const { splitAtDividers } = await import('../functions/scans/split-at-dividers.js');
    const outputs: OutputFile[] = [];
    const folder = await ctx.folder();
    await splitAtDividers(file.path(), (n) => `${folder}/${n}.pdf`, {
      duplex: duplexMode,
      maxDpi: maxDpi(ctx),
      modified: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
      onPart: async (path, n) => void outputs.push(await ctx.adopt(file, path, { n })),
    });
    return outputs;
  },
});
