import { baseName, defineOperation } from '@quire/registry';

export const pdfHtml = defineOperation<Record<never, never>>({
  path: 'convert/pdf/html',
  name: 'convertPdfToHtml',
  since: '0.2.0',
  summary: 'Convert a PDF to HTML',
  title: 'Convert PDF to HTML',
  icon: 'file-code',
  order: 130,
  keywords: ['web page', 'website'],
  notes:
    'The zip contains `<base>.html` and its images. The page has the content of the PDF in reading order: ' +
    'headings, paragraphs, lists, tables with merged cells, images, internal and external links, footnotes, ' +
    'and the bookmarks at the top; each PDF page is a section `page-<n>`. Running headers, footers, page ' +
    'numbers, form fields, comments and exact positions are left out. The page runs no script and loads ' +
    'nothing from elsewhere.',
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
