import { defineOperation } from '@quire/registry';
import { exportedRows, exportNotes, exportParts } from './export-run.js';
import { formErrors } from './form-declarations.js';

/** Exports field names and values as CSV (`docs/interface/form.yml`, form/extract-csv). */
export const extractCsv = defineOperation<object>({
  path: 'form/extract-csv',
  name: 'exportFormToCsv',
  since: '0.1.0',
  summary: 'Export form field names and values as CSV',
  title: 'Export form data to CSV',
  icon: 'table',
  order: 60,
  keywords: ['form data', 'values', 'export'],
  notes:
    'UTF-8 without byte order mark, lines ended by a line feed, every value quoted, no value nothing at all. ' +
    `${exportNotes}`,
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  parts: exportParts,
  returns: { kind: 'csv', name: '{base}_extracted' },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: formErrors,
  examples: [
    {
      title: 'an application form',
      files: ['application.pdf'],
      params: {},
      expect: { names: ['application_extracted.csv'] },
    },
    {
      title: 'with values put in before',
      files: ['application.pdf'],
      parts: { data: 'values.json' },
      params: {},
      expect: { names: ['application_extracted.csv'] },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: {},
      expect: { names: ['letter_extracted.csv'] },
    },
    {
      title: 'values that are not an object',
      files: ['application.pdf'],
      parts: { data: 'list.json' },
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [rows, { formStem }] = await Promise.all([exportedRows(file, ctx), import('../functions/open-form.js')]);
    const { rowsCsv } = await import('../functions/export-fields.js');
    return [await ctx.output(file, Buffer.from(rowsCsv(rows), 'utf8'), { name: `${formStem(file.name)}_extracted` })];
  },
});
