import { baseName, defineOperation, type OutputFile, pageNumbersField, selectPages, shown } from '@quire/registry';
import { tablesAnswer } from './document-answer.js';
import {
  parsingSettings,
  readable,
  readingErrors,
  readingFields,
  type ReadingParams,
  readingServices,
} from './reading.js';

interface ExtractTablesParams extends ReadingParams {
  outputFormat: 'csv' | 'json';
  pageNumbers: string;
}

export const extractTables = defineOperation<ExtractTablesParams>({
  path: 'docparse/extract-tables',
  since: '0.2.0',
  summary: 'Extract tables as CSV or JSON',
  title: 'Extract tables',
  icon: 'table',
  order: 40,
  keywords: ['spreadsheet', 'excel', 'table'],
  notes: [
    'Tables with and without lines on the selected pages (default: all). A table across page breaks is one ' +
      'table, on the page where it starts; repeated header rows are left out.',
    '`csv`: commas, CR LF, every field quoted, UTF-8; a merged cell has its text in its first position, lines ' +
      'of a cell are separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. ' +
      'Text is written as printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as ' +
      'text.',
    '`json`: `tables`, each with `page`, `pageEnd`, `number` on its page, `bbox` (left, top, right, bottom in ' +
      'points of the page as shown, from the upper left corner), `ruled`, `columns`, `headerRows`, `rows` of ' +
      'texts, and `cells` with row, column, rowSpan, colSpan, header and text. No table gives an empty list.',
    'On scanned pages, read with `withOcr`, tables are found by the positions of words.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { csv: 'csv', json: 'json' } },
    name: '{base}_tables',
    many: { archive: '{base}_tables', single: 'file' },
    mayDrop: true,
    holds: tablesAnswer,
  },
  params: (joi) =>
    joi.object<ExtractTablesParams, true>({
      ...readingFields(joi),
      outputFormat: shown(
        joi
          .string()
          .empty('')
          .valid('csv', 'json')
          .default('csv')
          .description('One CSV file for each table, or all tables as JSON')
          .example('csv'),
        { label: 'Format', help: '', options: { csv: 'One CSV file for each table', json: 'All tables as JSON' } },
      ),
      pageNumbers: pageNumbersField(joi),
    }),
  needs: { services: readingServices, settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: [...readingErrors, 'PAGES_INVALID', 'PAGES_OUT_OF_RANGE'],
  examples: [
    {
      title: 'two tables, one over page breaks',
      files: ['report.pdf'],
      params: {},
      expect: { names: ['report_p1_t1.csv', 'report_p2_t1.csv'] },
    },
    {
      title: 'as JSON',
      files: ['report.pdf'],
      params: { outputFormat: 'json' },
      expect: { names: ['report_tables.json'] },
    },
    { title: 'a document without tables', files: ['scan.pdf'], params: {}, expect: { dropped: true } },
    {
      title: 'refuses pages that do not exist',
      files: ['report.pdf'],
      params: { pageNumbers: '9' },
      expect: { refused: 'PAGES_OUT_OF_RANGE' },
    },
  ],
  run: async (file, { outputFormat, pageNumbers, ...reading }, ctx) => {
    const { path, facts } = await readable(file, reading, ctx);
    const [{ eachTable }, { csvOf }] = await Promise.all([
      import('../functions/document-tables.js'),
      import('@quire/document/layout/tables'),
    ]);
    const half = reading.withOcr ? 1 : 0;
    const watch = {
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done + half * total, (1 + half) * total),
    };
    const select = (pages: number): ((page: number) => boolean) => {
      const wanted = new Set(selectPages(pageNumbers, pages));
      return (page) => wanted.has(page - 1);
    };
    const outputs: OutputFile[] = [];
    if (outputFormat === 'json') {
      const tables: string[] = [];
      const count = await eachTable({ path }, select, watch, (table) => void tables.push(JSON.stringify(table)));
      ctx.report({ ...facts, tables: count });
      return [
        await ctx.output(
          file,
          Buffer.from(
            `${JSON.stringify({ documentName: file.name, ...facts }).slice(0, -1)},"tables":[${tables.join(',\n')}]}\n`,
          ),
        ),
      ];
    }
    const base = baseName(file.name);
    // The first table is kept back: its file name depends on whether there is a second one.
    let first: { readonly csv: Uint8Array; readonly name: string } | undefined;
    const count = await eachTable({ path }, select, watch, async ({ page, number, rows }) => {
      const next = { csv: csvOf(rows), name: `${base}_p${page}_t${number}` };
      if (first === undefined) {
        first = next;
        return;
      }
      if (outputs.length === 0) outputs.push(await ctx.output(file, first.csv, { name: first.name }));
      outputs.push(await ctx.output(file, next.csv, { name: next.name }));
    });
    if (count === 1 && first !== undefined) outputs.push(await ctx.output(file, (first as { csv: Uint8Array }).csv));
    ctx.report({ ...facts, tables: count });
    return outputs;
  },
});
