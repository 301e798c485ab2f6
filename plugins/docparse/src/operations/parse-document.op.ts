import { defineOperation, shown } from '@quire/registry';
import { documentAnswer } from './document-answer.js';
import {
  parsingSettings,
  readable,
  readingErrors,
  readingFields,
  type ReadingParams,
  readingServices,
} from './reading.js';

interface ParseDocumentParams extends ReadingParams {
  outputFormat: 'json' | 'markdown';
}

export const parseDocument = defineOperation<ParseDocumentParams>({
  path: 'docparse/parse-document',
  since: '0.2.0',
  summary: 'Parse layout blocks, tables and Markdown',
  title: 'Parse the layout',
  icon: 'layout-list',
  order: 50,
  keywords: ['layout', 'structure', 'markdown', 'llm'],
  notes: [
    '`json`: `blocks` in reading order, each with `id`, `type` (heading, paragraph, list, table, figure, ' +
      'caption, header, footer, footnote, code, other), `page`, `pageEnd` where it goes on over page breaks, ' +
      '`bbox` and `text`; headings have `level`, lists `ordered` and `items` with `level` and `marker`, tables ' +
      '`columns`, `headerRows`, `rows` of texts and `cells` with their spans, figures `alt` and `image`, ' +
      'footnotes `mark`, text from the right `direction`. Then `pages` with their sizes and columns, and the ' +
      'whole as `markdown`.',
    '`bbox` is left, top, right and bottom in points (1/72 inch) of the page as it is shown, from its upper ' +
      'left corner, on the page where the block begins.',
    'Columns are read one after another; headings come from tags, bookmarks, size and weight; running headers, ' +
      'footers and page numbers are header and footer blocks; tables are found with and without lines. ' +
      '`markdown` returns the Markdown alone.',
    'Scanned pages have no text unless `withOcr` is sent; `X-Tool-Report` says what was recognised. No ' +
      'language model is used.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { json: 'json', markdown: 'md' } },
    name: '{base}_parsed',
    holds: documentAnswer,
  },
  params: (joi) =>
    joi.object<ParseDocumentParams, true>({
      ...readingFields(joi),
      outputFormat: shown(
        joi
          .string()
          .empty('')
          .valid('json', 'markdown')
          .default('json')
          .description('Blocks, pages and Markdown as JSON, or the Markdown alone')
          .example('json'),
        { label: 'Format', help: '', options: { json: 'Blocks, pages and Markdown as JSON', markdown: 'Markdown' } },
      ),
    }),
  needs: { services: readingServices, settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: readingErrors,
  examples: [
    { title: 'blocks as JSON', files: ['report.pdf'], params: {}, expect: { names: ['report_parsed.json'] } },
    {
      title: 'Markdown',
      files: ['report.pdf'],
      params: { outputFormat: 'markdown' },
      expect: { names: ['report_parsed.md'] },
    },
    {
      title: 'a scanned page',
      files: ['scan.pdf'],
      params: { withOcr: true, languages: ['eng'] },
      expect: { names: ['scan_parsed.json'] },
    },
    { title: 'refuses a broken file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { outputFormat, ...reading }, ctx) => {
    const { path, facts } = await readable(file, reading, ctx);
    const target = `${await ctx.folder()}/parsed`;
    const half = reading.withOcr ? 1 : 0;
    const watch = {
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done + half * total, (1 + half) * total),
    };
    if (outputFormat === 'markdown') {
      const { pdfToMarkdown } = await import('@quire/document/layout/markdown');
      await pdfToMarkdown({ path }, target, watch);
      ctx.report(facts);
    } else {
      const { writeParsed } = await import('../functions/write-parsed.js');
      ctx.report({ ...facts, ...(await writeParsed({ path }, target, { documentName: file.name, ...facts }, watch)) });
    }
    return [await ctx.adopt(file, target)];
  },
});
