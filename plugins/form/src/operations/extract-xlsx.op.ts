import { defineOperation } from '@quire/registry';
import { exportedRows, exportNotes, exportParts } from './export-run.js';
import { formErrors } from './form-declarations.js';

/** Exports field names and values as XLSX (`docs/interface/form.yml`, form/extract-xlsx). */
export const extractXlsx = defineOperation<object>({
  path: 'form/extract-xlsx',
  name: 'exportFormToXlsx',
  since: '0.1.0',
  summary: 'Export form field names and values as a workbook',
  title: 'Export form data to Excel',
  icon: 'sheet',
  order: 70,
  keywords: ['form data', 'excel', 'values', 'export'],
  notes:
    `One sheet, \`Form Fields\`, with text cells only, so nothing is treated as a formula or a date. A cell ` +
    `holds at most 32767 characters; \`cut\` in the report counts longer texts. ${exportNotes}`,
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  parts: exportParts,
  returns: { kind: 'xlsx', name: '{base}_extracted' },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: formErrors,
  examples: [
    {
      title: 'an application form',
      files: ['application.pdf'],
      params: {},
      expect: { names: ['application_extracted.xlsx'] },
    },
    {
      title: 'with values put in before',
      files: ['application.pdf'],
      parts: { data: 'values.json' },
      params: {},
      expect: { names: ['application_extracted.xlsx'] },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: {},
      expect: { names: ['letter_extracted.xlsx'] },
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
    const { writeRows } = await import('../functions/export-fields.js');
    const target = `${await ctx.folder()}/fields.xlsx`;
    const cut = await writeRows(rows, target);
    if (cut > 0) ctx.report({ cut });
    return [await ctx.adopt(file, target, { name: `${formStem(file.name)}_extracted` })];
  },
});
