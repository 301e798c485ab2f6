import { baseName, defineOperation } from '@quire/registry';

/** Turns what a PDF says into a web page. */
export const pdfHtml = defineOperation<Record<never, never>>({
  path: 'convert/pdf/html',
  since: '0.2.0',
  summary: 'Convert a PDF to zipped HTML',
  notes:
    'The zip holds `<base>.html` and its pictures beside it. The page says what the PDF says in reading order: ' +
    'headings, paragraphs, lists, tables with merged cells, pictures, links within and without, footnotes, the ' +
    'outline in front; each page of the PDF is a section `page-<n>`. Running headers, footers and page numbers ' +
    'are left out, and so are form fields, comments and the exact places of things. No script runs in it, and ' +
    'it fetches nothing from elsewhere.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'zip', name: '{base}ToHtml' },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'three pages', files: ['three-pages.pdf'], params: {}, expect: { names: ['three-pagesToHtml.zip'] } },
    { title: 'refuses a broken file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { pdfToHtml } = await import('../../functions/html/pdf-to-html.js');
    const target = `${await ctx.folder()}/page.zip`;
    await pdfToHtml(file.path(), await ctx.folder(), target, {
      base: baseName(file.name),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    return [await ctx.adopt(file, target)];
  },
});
