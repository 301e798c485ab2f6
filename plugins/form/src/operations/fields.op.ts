import { defineOperation } from '@quire/registry';
import { fieldTypes, formErrors } from './form-declarations.js';

/** Lists the fields of a form with a template for filling in (`docs/interface/form.yml`, form/fields). */
export const fields = defineOperation<object>({
  path: 'form/fields',
  name: 'listFormFields',
  since: '0.1.0',
  summary: 'List form fields and a template for filling',
  title: 'List form fields',
  icon: 'list',
  order: 20,
  keywords: ['acroform', 'form', 'inputs'],
  notes:
    'By page, then in the order of the form. Fields without a name or a type are left out; `X-Tool-Report` ' +
    'says how many (`leftOut`), and `xfa` when the document has an XFA form: `hybrid` beside these fields, ' +
    '`dynamic` instead of them. A document without a form answers an empty list. `template` goes into ' +
    '`form/fill` as it is.',
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  returns: {
    json: (joi) =>
      joi.object({
        fields: joi
          .array()
          .items(
            joi.object({
              name: joi
                .string()
                .required()
                .description('Partial names from the top, joined by periods')
                .example('person.name'),
              label: joi.string().required().description('Name for people').example('Your name'),
              type: joi
                .string()
                .valid(...fieldTypes)
                .required(),
              value: joi
                .string()
                .allow('')
                .description('Present value, several choices joined by commas; absent for none'),
              options: joi
                .array()
                .items(joi.string().allow(''))
                .description(
                  'Values that it can take: of choices stored ones, then shown ones; of check boxes and radio ' +
                    'buttons export values. Absent for none',
                ),
              required: joi.boolean().required(),
              pageIndex: joi
                .number()
                .integer()
                .min(-1)
                .required()
                .description('0-based page of its first widget; -1 for none'),
              multiSelect: joi.boolean().required().description('A list box that takes several options'),
              tooltip: joi.string().description('Absent for none'),
              pageOrder: joi
                .number()
                .integer()
                .min(0)
                .required()
                .description('0-based number among the fields of its page, in the order of the form'),
            }),
          )
          .required()
          .description('Empty for a document without a form'),
        template: joi
          .object()
          // Described as any value: openapi-generator writes invalid Java for a list among alternatives.
          .pattern(joi.string(), joi.any())
          .required()
          .description(
            'Field name to present value: true or false for check boxes, an empty list for lists of several, a ' +
              'text for others; no buttons and signatures',
          ),
        xfa: joi
          .string()
          .valid('hybrid', 'dynamic')
          .description('The document has an XFA form: beside these fields, or instead of them. Absent for none'),
      }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: formErrors,
  examples: [
    {
      title: 'an application form',
      files: ['application.pdf'],
      params: {},
      expect: {
        json: {
          template: {
            'person.name': 'Grüße, Ada',
            'person.dateOfBirth': '',
            'person.town': 'P',
            languages: [],
            newsletter: true,
            terms: false,
            payment: 'invoice',
            remarks: 'First line\n"Second", line',
            'office.number': '=1+1',
            twice: 'on two pages',
            'turned.left': 'upper left of the crop box',
            'turned.right': '',
            outside: '',
          },
        },
      },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: {},
      expect: { json: { fields: [], template: {} } },
    },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ formFacts, withForm }, { listFields }] = await Promise.all([
      import('../functions/open-form.js'),
      import('../functions/list-fields.js'),
    ]);
    return withForm(file.path(), (form) => {
      ctx.report(formFacts(form));
      return ctx.json({ ...listFields(form), ...(form?.xfa === undefined ? {} : { xfa: form.xfa }) });
    });
  },
});
