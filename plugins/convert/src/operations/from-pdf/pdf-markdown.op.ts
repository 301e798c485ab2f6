import { defineOperation } from '@quire/registry';

/** Turns what a PDF says into Markdown. */
export const pdfMarkdown = defineOperation<Record<string, never>>({
  path: 'convert/pdf/markdown',
  since: '0.2.0',
  summary: 'Convert a PDF to Markdown',
  notes:
    'One UTF-8 file: CommonMark with pipe tables and footnotes. Headings by the tags of the document, its ' +
    'outline, or the size and weight of the text; nested lists, tables with and without lines (of merged cells ' +
    'the first place has the text), also over page breaks; code, emphasis, links to addresses. Columns are ' +
    'read one after the other, divided words are joined. Running titles and page numbers are left out. A line ' +
    'with size, resolution, format and colour stands for each picture. Links within the document become text; ' +
    'underlining, colours and sizes are dropped; there is no OCR.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'md', name: '{base}' },
  params: (joi) => joi.object<Record<string, never>, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'headings, lists, tables and notes',
      files: ['article.pdf'],
      params: {},
      expect: { names: ['article.md'] },
    },
    { title: 'refuses a broken file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { pdfToMarkdown } = await import('@quire/document/layout/markdown');
    const target = `${await ctx.folder()}/text.md`;
    await pdfToMarkdown({ path: file.path() }, target, {
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    return [await ctx.adopt(file, target)];
  },
});
