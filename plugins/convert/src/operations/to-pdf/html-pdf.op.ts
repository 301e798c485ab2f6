import { defineOperation, numberField, tokens } from '@quire/registry';

interface HtmlPdfParams {
  zoom: number;
}

/** Prints web pages. */
export const htmlPdf = defineOperation<HtmlPdfParams>({
  path: 'convert/html/pdf',
  since: '0.2.0',
  summary: 'Print an HTML file or a zipped page to PDF',
  notes:
    'The page is printed by a browser as it would be on paper: `@page`, page breaks and print styles hold; ' +
    'without them the paper is A4 with margins of 75 CSS pixels. The PDF is tagged, with an outline of the ' +
    'headings; links can be followed. Of a zip the page called `index` nearest to its root is printed, else ' +
    'the first one nearest to the root; pictures, style sheets and fonts of the zip are found by their ' +
    'relative addresses. No script runs and nothing is fetched from anywhere. Before that the page is cleaned: ' +
    'scripts, forms, frames, objects and references to other servers go, style stays. `system.disableSanitize` ' +
    'leaves the cleaning out, so that forms are shown (as pictures of forms).',
  accepts: ['html', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'any' },
  needs: { programs: ['chromium'], services: [tokens.htmlToPdf, tokens.settings, tokens.clock] },
  limits: { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) =>
    joi.object<HtmlPdfParams, true>({
      zoom: numberField(joi, 'Scale of what is printed').min(0.1).max(2).default(1).example(1),
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
      print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, { zoom }, ctx.signal),
    });
    return [await ctx.adopt(file, path)];
  },
});
