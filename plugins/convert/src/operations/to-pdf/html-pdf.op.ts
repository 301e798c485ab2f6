import { defineOperation, numberField, shown, tokens } from '@quire/registry';

interface HtmlPdfParams {
  zoom: number;
}

export const htmlPdf = defineOperation<HtmlPdfParams>({
  path: 'convert/html/pdf',
  name: 'convertHtmlToPdf',
  since: '0.2.0',
  summary: 'Convert HTML to PDF',
  title: 'Convert HTML to PDF',
  icon: 'file-code',
  order: 50,
  keywords: ['web page', 'print', 'css'],
  notes:
    'A browser prints the page: `@page`, page breaks and print styles apply; otherwise the paper is A4 with ' +
    'margins of 75 CSS pixels. The PDF is tagged and has bookmarks for headings; links work. From a zip, the ' +
    'page named `index` closest to the root is printed, otherwise the first page closest to the root; images, ' +
    'style sheets and fonts in the zip are found by relative addresses. No script runs and nothing is loaded ' +
    'from elsewhere. The page is cleaned first: scripts, forms, frames, objects and references to other ' +
    'servers are removed, styles stay. `system.disableSanitize` skips the cleaning, so forms are shown (but ' +
    'are not fillable). A warning names resources that could not be loaded.',
  accepts: ['html', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'any' },
  needs: { programs: ['chromium'], services: [tokens.htmlToPdf, tokens.settings, tokens.clock] },
  limits: { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) =>
    joi.object<HtmlPdfParams, true>({
      zoom: shown(numberField(joi, 'Scale of the printed page').min(0.1).max(2).default(1).example(1), {
        label: 'Scale of the page',
        help: '1 is the usual size, 2 is twice as large.',
      }),
    }),
  errors: ['PAGE_MISSING', 'ARCHIVE_UNSAFE'],
  examples: [
    { title: 'a page with style', files: ['report.html'], params: {}, expect: { pages: [2], names: ['report.pdf'] } },
    {
      title: 'a zipped page, smaller',
      files: ['site.zip'],
      params: { zoom: 0.8 },
      expect: { pages: [1], names: ['site.pdf'] },
    },
    { title: 'refuses a zip without a page', files: ['no-page.zip'], params: {}, expect: { refused: 'PAGE_MISSING' } },
  ],
  run: async (file, { zoom }, ctx) => {
    const { printHtml } = await import('../../functions/pages/print-page.js');
    const trusted = ctx.use(tokens.settings).get<boolean | undefined>('system.disableSanitize') === true;
    const path = await printHtml({ path: file.path(), isZip: file.kind === 'zip' }, trusted, {
      folder: await ctx.folder(),
      now: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      warn: (sentence) => ctx.warn(sentence),
      print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, { zoom }, ctx.signal),
    });
    return [await ctx.adopt(file, path)];
  },
});
