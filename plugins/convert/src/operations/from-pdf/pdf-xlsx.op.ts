import { defineOperation, pageNumbersField, selectPages } from '@quire/registry';

interface PdfXlsxParams {
  pageNumbers: string;
}

export const pdfXlsx = defineOperation<PdfXlsxParams>({
  path: 'convert/pdf/xlsx',
  name: 'convertPdfToXlsx',
  since: '0.2.0',
  summary: 'Extract tables to Excel',
  title: 'Extract tables to Excel',
  icon: 'sheet',
  order: 100,
  keywords: ['excel', 'xls', 'spreadsheet', 'table'],
  notes:
    'Finds the same tables as convert/pdf/csv on the selected pages (default: all). Each table becomes a sheet ' +
    'named `Page 3`, or `Page 3 Table 2` if the page has several. All cells are text, so nothing is treated as ' +
    'a formula or a date; merged cells stay merged, bold cells bold. No table gives 204. A cell holds at most ' +
    '32767 characters.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'xlsx', name: '{base}', mayDrop: true },
  params: (joi) => joi.object<PdfXlsxParams, true>({ pageNumbers: pageNumbersField(joi) }),
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
  ],
  examples: [
    { title: 'every table a sheet', files: ['tables.pdf'], params: {}, expect: { names: ['tables.xlsx'] } },
    { title: 'a document without tables', files: ['three-pages.pdf'], params: {}, expect: { dropped: true } },
    {
      title: 'refuses an invalid page',
      files: ['tables.pdf'],
      params: { pageNumbers: 'first' },
      expect: { refused: 'PAGES_INVALID' },
    },
  ],
  run: async (file, { pageNumbers }, ctx) => {
    const [{ readTables }, { Workbook }] = await Promise.all([
      import('../../functions/tables/read-tables.js'),
      import('../../functions/tables/write-workbook.js'),
    ]);
    const workbook = new Workbook();
    const options = {
      select: (pages: number) => selectPages(pageNumbers, pages),
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total),
    };
    if ((await readTables(file.path(), options, (table) => workbook.add(table))) === 0) return [];
    const target = `${await ctx.folder()}/tables.xlsx`;
    await workbook.write(target);
    return [await ctx.adopt(file, target)];
  },
});
