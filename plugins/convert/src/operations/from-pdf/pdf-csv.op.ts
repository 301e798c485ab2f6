import { baseName, defineOperation, pageNumbersField, selectPages } from '@quire/registry';

interface PdfCsvParams {
  pageNumbers: string;
}

export const pdfCsv = defineOperation<PdfCsvParams>({
  path: 'convert/pdf/csv',
  name: 'convertPdfToCsv',
  since: '0.2.0',
  summary: 'Extract tables to CSV',
  title: 'Extract tables to CSV',
  icon: 'table',
  order: 110,
  keywords: ['table', 'spreadsheet', 'extract data'],
  notes:
    'Finds tables drawn with lines or filled cells on the selected pages (default: all). The CSV has commas, ' +
    'CR LF, every field quoted, in UTF-8. A merged cell has its text in its first position; lines within a ' +
    'cell are separated by line feeds. One table gives a CSV file, several give a zip, none gives 204. Text is ' +
    'written as printed, even if it starts with `=`, `+`, `-` or `@`: import it into a spreadsheet as text. ' +
    'Form field values count as text. Scanned pages need OCR first.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'csv',
    name: '{base}_extracted',
    many: { archive: '{base}_extracted', single: 'file' },
    mayDrop: true,
  },
  params: (joi) => joi.object<PdfCsvParams, true>({ pageNumbers: pageNumbersField(joi) }),
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
  ],
  examples: [
    {
      title: 'one table',
      files: ['tables.pdf'],
      params: { pageNumbers: '1' },
      expect: { names: ['tables_extracted.csv'] },
    },
    {
      title: 'the tables of all pages',
      files: ['tables.pdf'],
      params: {},
      expect: { names: ['tables_p1_t1.csv', 'tables_p2_t1.csv', 'tables_p2_t2.csv'] },
    },
    { title: 'a document without tables', files: ['three-pages.pdf'], params: {}, expect: { dropped: true } },
    {
      title: 'refuses pages that do not exist',
      files: ['tables.pdf'],
      params: { pageNumbers: '9' },
      expect: { refused: 'PAGES_OUT_OF_RANGE' },
    },
  ],
  run: async (file, { pageNumbers }, ctx) => {
    const [{ readTables }, { tableCsv }] = await Promise.all([
      import('../../functions/tables/read-tables.js'),
      import('../../functions/tables/table-csv.js'),
    ]);
    const outputs: Awaited<ReturnType<typeof ctx.output>>[] = [];
    const base = baseName(file.name);
    const write = async (csv: Uint8Array, name?: string): Promise<void> =>
      void outputs.push(await ctx.output(file, csv, name === undefined ? {} : { name }));
    // The first table is kept back: its file name depends on whether there is a second one.
    let first: { readonly csv: Uint8Array; readonly name: string } | undefined;
    const count = await readTables(
      file.path(),
      {
        select: (pages) => selectPages(pageNumbers, pages),
        signal: ctx.signal,
        progress: (done, total) => ctx.progress(done, total),
      },
      async ({ page, number, table }) => {
        const next = { csv: tableCsv(table), name: `${base}_p${page}_t${number}` };
        if (first === undefined) {
          first = next;
          return;
        }
        if (outputs.length === 0) await write(first.csv, first.name);
        await write(next.csv, next.name);
      },
    );
    if (count === 1 && first !== undefined) await write((first as { csv: Uint8Array }).csv);
    return outputs;
  },
});
