import { defineOperation } from '@quire/registry';
import { fieldTypes, formErrors } from './form-declarations.js';

/**
 * Lists the fields of a form with the boxes of their widgets (`docs/interface/form.yml`, form/fields-with-coordinates).
 */
export const fieldsWithCoordinates = defineOperation<object>({
  path: 'form/fields-with-coordinates',
  name: 'locateFormFields',
  since: '0.1.0',
  summary: 'List form fields with their boxes on the pages',
  title: 'Locate form fields',
  icon: 'scan-search',
  order: 30,
  keywords: ['acroform', 'position', 'form'],
  notes:
    'By page, from top to bottom (tops within 10 points are one line), from left to right; fields that no page ' +
    'shows come last. Lengths are units of the page, points unless it says otherwise (`UserUnit`), from the ' +
    'upper left corner of the crop box, as the page is before `Rotate` turns it. Widgets that begin outside of ' +
    'the crop box are left out. A document without a form answers an empty list. `X-Tool-Report`: `leftOut` ' +
    'counts fields without a name or a type; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.',
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  returns: {
    json: (joi) =>
      joi
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
            displayOptions: joi
              .array()
              .items(joi.string().allow(''))
              .description('Shown texts of the options; absent if they equal the values'),
            required: joi.boolean().required(),
            readOnly: joi.boolean().required(),
            multiSelect: joi.boolean().required().description('A list box that takes several options'),
            multiline: joi.boolean().required().description('A text of several lines'),
            password: joi.boolean().required().description('A text that is shown as asterisks'),
            comb: joi.boolean().required().description('A text with `maxLength` cells, one for each character'),
            editable: joi.boolean().required().description('A combo box that takes other texts than its options'),
            maxLength: joi.number().integer().min(1).description('Most characters of a text; absent for any number'),
            choices: joi
              .array()
              .items(
                joi.object({
                  value: joi.string().allow('').required().description('Stored value, which `form/fill` takes'),
                  label: joi.string().allow('').required().description('Shown text'),
                }),
              )
              .description('Options of a combo or list box, in order; absent for none'),
            values: joi
              .array()
              .items(joi.string().allow(''))
              .description('Present choices of a list box that takes several; absent for none'),
            signed: joi.boolean().description('Of signature fields only'),
            lockedBy: joi
              .string()
              .allow('')
              .description('Signature field whose signature locks this field; absent for a field that may change'),
            tooltip: joi.string().description('Absent for none'),
            widgets: joi
              .array()
              .items(
                joi.object({
                  pageIndex: joi.number().integer().min(0).required().description('0-based'),
                  x: joi.number().required().description('From the left edge of the crop box'),
                  y: joi.number().required().description('From the top edge of the crop box to the top of the widget'),
                  width: joi.number().min(0).required(),
                  height: joi.number().min(0).required(),
                  exportValue: joi
                    .string()
                    .allow('')
                    .description(
                      'Of check boxes and radio buttons: the value of this choice, as in `value`;  ' +
                        'absent otherwise',
                    ),
                  fontSize: joi.number().positive().description('Absent if it depends on the field size or is unknown'),
                  alignment: joi
                    .string()
                    .valid('left', 'center', 'right')
                    .description('Of texts and choices; absent otherwise'),
                  rotation: joi
                    .number()
                    .valid(90, 180, 270)
                    .description('Degrees by which the content is turned counterclockwise on the page; absent for 0'),
                  caption: joi.string().description('Text of a push button; absent for none'),
                  hidden: joi.boolean().valid(true).description('Screens do not show it; absent for those that do'),
                  tabOrder: joi
                    .number()
                    .integer()
                    .min(0)
                    .required()
                    .description(
                      '0-based place among the widgets of its page when people press the tab key: by rows or columns ' +
                        'where the page says so, else in the order of its annotations',
                    ),
                }),
              )
              .description('Where it is shown; absent for nowhere'),
          }),
        )
        .description('Empty for a document without a form'),
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
          0: {
            name: 'person.name',
            label: 'Your name',
            type: 'text',
            value: 'Grüße, Ada',
            required: true,
            readOnly: false,
            multiSelect: false,
            multiline: false,
            password: false,
            comb: false,
            editable: false,
            tooltip: 'Your name:',
            widgets: [
              {
                pageIndex: 0,
                x: 149.5,
                y: 61.5,
                width: 201,
                height: 21,
                fontSize: 11,
                alignment: 'left',
                tabOrder: 0,
              },
            ],
          },
        },
      },
    },
    { title: 'a document without a form', files: ['letter.pdf'], params: {}, expect: { json: { length: 0 } } },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ formFacts, withForm }, { locateFields }] = await Promise.all([
      import('../functions/open-form.js'),
      import('../functions/locate-fields.js'),
    ]);
    return withForm(file.path(), (form, opened) => {
      ctx.report(formFacts(form));
      return ctx.json(locateFields(opened, form));
    });
  },
});
