import { defineOperation, shown, tokens } from '@quire/registry';
import type { Missing, TemplateKind } from '../functions/fill-template.js';
import { parsingSettings, requireParsing } from './reading.js';

interface FillTemplateParams {
  data: Record<string, unknown>;
  missing: Missing;
}

/** Fills an office document with data (`docs/interface/docparse.yml`, fill-template). */
export const fillTemplate = defineOperation<FillTemplateParams>({
  path: 'docparse/fill-template',
  since: '0.2.0',
  summary: 'Fill a document template with data',
  title: 'Fill in a template',
  icon: 'file-pen',
  order: 70,
  keywords: ['mail merge', 'docx', 'placeholder', 'word'],
  notes:
    'The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile`, or as `fileInput`, so that pipelines ' +
    'may go on with what comes out.\n\n- `{{customer.name}}` is replaced by that member of `data`, in the look ' +
    'of the text around it; line feeds and tabs are kept.\n- `{{#items}} … {{/items}}` comes once for each ' +
    'item of a list. Where it begins and ends in cells of one table row, the row is repeated; where in ' +
    'different rows, these rows; else paragraphs, tables and what else stands between, or the text within one ' +
    'paragraph. Rows and paragraphs with nothing but such a mark are left out. Of a value that is not a list it ' +
    'comes once, and not at all of `false`, `null`, 0, an empty text or list.\n- `{{^items}} … {{/items}}` ' +
    'comes where the other would not.\n- Names are looked up in the item, then around it. `{{.}}` is the item, ' +
    '`{{@number}}` its number from 1, `{{@index}}` from 0, `{{@first}}`, `{{@last}}` and `{{@count}}`.\n- ' +
    '`{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; `{{logo}}` is one where the value is ' +
    '`{"image": "…", "width": 120, "height": 40, "alt": "…"}`, lengths in points. Not on slides.\n\nHeaders, ' +
    'footers, foot- and endnotes, text boxes and the notes of slides are filled too. Nothing is evaluated. ' +
    'Templates with macros, or with parts that lie elsewhere, are refused; links to click stay.',
  accepts: ['docx', 'pptx', 'odt', 'odp'],
  fileAliases: ['templateFile'],
  files: 'each',
  returns: { kind: 'same', name: '{base}_filled' },
  params: (joi) =>
    joi.object<FillTemplateParams, true>({
      data: shown(
        joi
          .object()
          .required()
          .description('Values for the names in the template: a JSON object')
          .example({ name: 'Ada', items: [{ title: 'Book', price: 12 }] }),
        { label: 'Values', help: 'Values for the names in the template.' },
      ),
      missing: shown(
        joi
          .string()
          .trim()
          .lowercase()
          .empty('')
          .valid('error', 'keep', 'empty')
          .default('error')
          .description(
            'Names without a value: refuse the template and list them, keep them as written, or leave them empty',
          )
          .example('error'),
        {
          label: 'Names without a value',
          help: '',
          options: {
            error: 'Refuse the template and list them',
            keep: 'Keep them as written',
            empty: 'Leave them empty',
          },
        },
      ),
    }),
  needs: { services: [tokens.settings], settings: parsingSettings },
  errors: ['TEMPLATE_INVALID', 'ARCHIVE_UNSAFE', 'OFFICE_ENCRYPTED'],
  examples: [
    {
      title: 'an invoice',
      files: ['invoice-template.docx'],
      params: {
        data: { number: 'R-7', customer: { name: 'Ada' }, items: [{ title: 'Book', price: '12.00' }], paid: false },
      },
      expect: { names: ['invoice-template_filled.docx'] },
    },
    {
      title: 'slides',
      files: ['slides-template.pptx'],
      params: { data: { title: 'Plan', points: ['one', 'two'] } },
      expect: { names: ['slides-template_filled.pptx'] },
    },
    {
      title: 'names that the data does not have',
      files: ['invoice-template.docx'],
      params: { data: { number: 'R-7' } },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a section without end',
      files: ['unclosed-template.docx'],
      params: { data: { items: [] } },
      expect: { refused: 'TEMPLATE_INVALID' },
    },
    { title: 'macros', files: ['macros.docx'], params: { data: {} }, expect: { refused: 'ARCHIVE_UNSAFE' } },
  ],
  run: async (file, { data, missing }, ctx) => {
    requireParsing(ctx);
    const { fillTemplate: fill } = await import('../functions/fill-template.js');
    const target = `${await ctx.folder()}/filled`;
    await fill(file.path(), data, target, {
      kind: file.kind as TemplateKind,
      missing,
      folder: await ctx.folder(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    return [await ctx.adopt(file, target)];
  },
});
