import { defineOperation, tokens } from '@quire/registry';

export const markdownPdf = defineOperation<Record<never, never>>({
  path: 'convert/markdown/pdf',
  name: 'convertMarkdownToPdf',
  since: '0.2.0',
  summary: 'Convert Markdown to PDF',
  title: 'Convert Markdown to PDF',
  icon: 'heading',
  order: 70,
  keywords: ['md', 'readme'],
  notes:
    'CommonMark with pipe tables, footnotes, task lists, strikethrough and automatic links; code is ' +
    'highlighted if its language is named. Headings can be linked (`#like-this`) and become bookmarks. HTML in ' +
    'the text is cleaned as in `convert/html/pdf`, whose other rules apply too. YAML metadata at the beginning ' +
    'is not printed; its `title` becomes the document title. From a zip, `index.md` at the root is printed, ' +
    'otherwise the first `.md` or `.markdown` file closest to the root; images in the zip are found by ' +
    'relative addresses, and a warning names resources that could not be loaded.',
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
        warn: (sentence) => ctx.warn(sentence),
        print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, {}, ctx.signal),
      },
    );
    return [await ctx.adopt(file, path)];
  },
});
