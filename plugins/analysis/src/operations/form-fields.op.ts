import { defineOperation } from '@quire/registry';

export const formFields = defineOperation<object>({
  path: 'analysis/form-fields',
  name: 'getFormInfo',
  since: '0.1.0',
  summary: 'Report whether a PDF has a form, and its size',
  title: 'Look for a form',
  icon: 'clipboard-list',
  order: 60,
  keywords: ['acroform', 'xfa', 'form'],
  notes:
    'Only top-level fields are counted; a group counts once. `isSignaturesExist` is the flag of the form; ' +
    'signatures are not searched. Without a form: 0, false, false.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        fieldCount: joi.number().integer().required().description('Number of top-level fields').example(2),
        hasXFA: joi.boolean().required().description('The document has an XFA form'),
        isSignaturesExist: joi.boolean().required().description('The form says that it contains signatures'),
      }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a group and a field',
      files: ['form.pdf'],
      params: {},
      expect: { json: { fieldCount: 2, hasXFA: true, isSignaturesExist: true } },
    },
    {
      title: 'no form',
      files: ['sizes.pdf'],
      params: {},
      expect: { json: { fieldCount: 0, hasXFA: false, isSignaturesExist: false } },
    },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { formOverview }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/document-facts.js'),
    ]);
    return ctx.json(await look(file.path(), formOverview));
  },
});
