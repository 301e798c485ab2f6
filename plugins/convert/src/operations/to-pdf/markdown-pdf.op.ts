import { defineOperation, tokens } from '@quire/registry';

/** Prints Markdown. */
export const markdownPdf = defineOperation<Record<never, never>>({
  path: 'convert/markdown/pdf',
  since: '0.2.0',
  summary: 'Print Markdown or a zipped Markdown folder to PDF',
  notes:
    'CommonMark with pipe tables, footnotes, task lists, struck out text and addresses as links; code is ' +
    'coloured where its language is named. Headings can be linked to (`#like-this`) and make the outline. HTML ' +
    'within is cleaned as in `convert/html/pdf`, whose other rules hold too. Metadata in YAML at the beginning ' +
    'is not printed; its `title` becomes that of the document. Of a zip `index.md` at the root is printed, ' +
    'else the first file ending in `.md` or `.markdown` nearest to the root; pictures of the zip are found by ' +
    'their relative addresses.',
  accepts: ['md', 'zip'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'any' },
  needs: { programs: ['chromium'], services: [tokens.htmlToPdf, tokens.clock] },
  limits: { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: ['PAGE_MISSING', 'ARCHIVE_UNSAFE'],
  examples: [
    { title: 'a text with a table', files: ['notes.md'], params: {}, expect: { pages: [1], names: ['notes.pdf'] } },
    {
      title: 'a zipped folder with a picture',
      files: ['handbook.zip'],
      params: {},
      expect: { pages: [1], names: ['handbook.pdf'] },
    },
    {
      title: 'refuses a zip without Markdown',
      files: ['no-page.zip'],
      params: {},
      expect: { refused: 'PAGE_MISSING' },
    },
  ],
  run: async (file, _params, ctx) => {
    const { printMarkdown } = await import('../../functions/pages/print-markdown.js');
    const path = await printMarkdown(
      { path: file.path(), isZip: file.kind === 'zip' },
      {
        folder: await ctx.folder(),
        now: ctx.use(tokens.clock).now(),
        signal: ctx.signal,
        print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, {}, ctx.signal),
      },
    );
    return [await ctx.adopt(file, path)];
  },
});
