import { booleanField, defineOperation, maxDpi, type OutputFile, shown, tokens } from '@quire/registry';

interface AutoSplitPdfParams {
  duplexMode: boolean;
}

/** Splits a stack of scanned documents at printed divider sheets (`docs/interface/misc.yml`, auto-split-pdf). */
export const autoSplitPdf = defineOperation<AutoSplitPdfParams>({
  path: 'misc/auto-split-pdf',
  name: 'splitAtDividers',
  since: '0.2.0',
  summary: 'Split a PDF at QR code divider pages',
  title: 'Split at QR code pages',
  icon: 'qr-code',
  order: 200,
  keywords: ['divider', 'separator sheet', 'qr code', 'barcode', 'batch scan'],
  notes:
    'A divider is a page with a QR code that contains exactly one of the texts on the printed divider sheets. ' +
    'The code may be rotated, light on dark, small or noisy. Dividers are removed, even on the first page, and ' +
    'so are parts without pages. If there is no divider, the result is a single part with all pages. ' +
    'Bookmarks, links and form fields stay with their pages.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_{n}', many: { archive: '{base}' }, pages: 'any' },
  writes: 'assemble',
  params: (joi) =>
    joi.object<AutoSplitPdfParams, true>({
      duplexMode: shown(
        booleanField(joi, 'Also remove the page after each divider: the back of the divider sheet').example(false),
        { label: 'Remove the backs of dividers', help: 'For dividers that were scanned on both sides.' },
      ),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'DIVIDERS_ONLY'],
  examples: [
    {
      title: 'two letters and a divider at the end',
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
