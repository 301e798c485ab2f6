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
    'The template is a DOCX, PPTX, ODT or ODP, sent as `templateFile` or (in pipelines) as `fileInput`.\n\n' +
    '- `{{customer.name}}` is replaced by that member of `data`, in the style of the text around it; line feeds and ' +
    'tabs are kept.\n- `{{#items}} … {{/items}}` is repeated for each item of a list. If both marks are in cells of ' +
    'one table row, that row is repeated; if they are in different rows, these rows; otherwise everything between ' +
    'them. Rows and paragraphs with nothing but such a mark are removed. If the value is not a list, the content ' +
    'appears once, and not at all for `false`, `null`, 0, an empty text or an empty list.\n- ' +
    '`{{^items}} … {{/items}}` appears in exactly these cases.\n- Names are looked up in the item, then in the values ' +
    'around it. `{{.}}` is the item, `{{@number}}` its number from 1, `{{@index}}` from 0; there are also ' +
    '`{{@first}}`, `{{@last}}` and `{{@count}}`.\n- `{{%logo}}` is a picture (PNG, JPEG, GIF) as base64 or data URI; ' +
    '`{{logo}}` is one if the value is `{"image": "…", "width": 120, "height": 40, "alt": "…"}`, with lengths in ' +
    'points. Slides cannot have pictures.\n\nHeaders, footers, footnotes, endnotes, text boxes and the notes of ' +
    'slides are filled too. No expressions are evaluated. Templates with macros or with linked parts are rejected; ' +
    'hyperlinks stay.',
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
