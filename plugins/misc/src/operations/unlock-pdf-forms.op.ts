import { defineOperation, tokens } from '@quire/registry';

type UnlockPdfFormsParams = Record<string, never>;

/** Makes the fields of a form editable (`docs/interface/misc.yml`, unlock-pdf-forms). */
export const unlockPdfForms = defineOperation<UnlockPdfFormsParams>({
  path: 'misc/unlock-pdf-forms',
  name: 'unlockForms',
  since: '0.2.0',
  summary: 'Make read-only form fields editable',
  title: 'Unlock form fields',
  icon: 'lock-open',
  order: 220,
  keywords: ['writable', 'editable', 'fillable', 'enable fields', 'acroform', 'xfa'],
  notes:
    'Removes the read-only flag from every field and the field locks that take effect on signing, and asks ' +
    'viewers to draw the fields again (`NeedAppearances`). In XFA, `access="readOnly"` becomes ' +
    '`access="open"`. The content of a document without a form is not changed. `X-Tool-Report` holds `fields` ' +
    'and `xfaParts`, how many of each were unlocked.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_unlocked_forms', pages: 'same' },
  writes: 'append',
  params: (joi) => joi.object<UnlockPdfFormsParams, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a form with read-only fields',
      files: ['form.pdf'],
      params: {},
      expect: { pages: [2], names: ['form_unlocked_forms.pdf'] },
    },
    {
      title: 'a document without a form',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['picture_unlocked_forms.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { unlockForm }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/unlock-form.js'),
    ]);
    const target = `${await ctx.folder()}/unlocked.pdf`;
    const { fields, xfaParts } = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, repair: false, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      ({ document }) => unlockForm(document.context),
    );
    ctx.report({ fields, xfaParts });
    return [await ctx.adopt(file, target)];
  },
});
