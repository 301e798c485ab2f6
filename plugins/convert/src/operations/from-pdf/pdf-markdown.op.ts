import { defineOperation } from '@quire/registry';
import { warnOfNoText } from '../text-warning.js';

export const pdfMarkdown = defineOperation<Record<string, never>>({
  path: 'convert/pdf/markdown',
  name: 'convertPdfToMarkdown',
  since: '0.2.0',
  summary: 'Convert a PDF to Markdown',
  title: 'Convert PDF to Markdown',
  icon: 'heading',
  order: 140,
  keywords: ['md', 'text', 'llm'],
  notes:
    'One UTF-8 file: CommonMark with pipe tables and footnotes. Headings come from the tags, the bookmarks, or ' +
    'the size and weight of the text. Nested lists, tables with and without lines (also across page breaks; a ' +
    'merged cell has its text in its first position), code, emphasis and web links are kept. Columns are read ' +
    'one after another and hyphenated words are joined. Running headers and page numbers are left out. An ' +
    'image is replaced by a line with its size, resolution, format and colour. Internal links become text; ' +
    'underlining, colours and sizes are dropped. There is no OCR: a document without text comes with a warning.',
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
      withoutText: () => warnOfNoText(ctx),
    });
    return [await ctx.adopt(file, target)];
  },
});
