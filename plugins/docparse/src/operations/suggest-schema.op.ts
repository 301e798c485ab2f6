import { booleanField, defineOperation, integerField, shown, tokens } from '@quire/registry';
import { FIELD_TYPES } from '../functions/fields/field-types.js';
import { askIfUsable, modelEffects } from './fields-run.js';
import { readForFields, scannedAnswer, scannedFields, type ScannedParams, scannedServices } from './read-for-fields.js';
import { parsingSettings, requireParsing } from './reading.js';

interface SuggestSchemaParams extends ScannedParams {
  maxFields: number;
  useModel: boolean;
}

/** Proposes fields that are worth extracting (`docs/interface/docparse.yml`, suggest-schema). */
export const suggestSchema = defineOperation<SuggestSchemaParams>({
  path: 'docparse/suggest-schema',
  since: '0.2.0',
  summary: 'Suggest fields worth extracting from a PDF',
  title: 'Suggest fields to extract',
  icon: 'lightbulb',
  order: 30,
  keywords: ['data extraction', 'fields'],
  notes:
    'Form fields, labels with values and table headers become fields with name, type and an example, ready for ' +
    '`docparse/extract-fields`. A language model, if one is set up, names and describes them and may add ' +
    'others whose labels are in the document. Scanned pages are read with OCR first unless `withOcr` is false.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        fields: joi
          .array()
          .items(
            joi.object({
              name: joi.string().required(),
              type: joi
                .string()
                .valid(...FIELD_TYPES)
                .required(),
              label: joi.string().required(),
              description: joi.string().allow(''),
              example: joi.string(),
              source: joi.string().valid('form', 'label', 'table', 'model').required(),
              page: joi.number().integer(),
              box: joi.array().items(joi.number()).length(4),
            }),
          )
          .required(),
        model: joi.boolean().required().description('A language model was asked'),
        modelFault: joi.string().description('Code of the error with which it failed'),
        ...scannedAnswer(joi),
      }),
  },
  effects: modelEffects,
  params: (joi) =>
    joi.object<SuggestSchemaParams, true>({
      maxFields: shown(integerField(joi, 'Most fields that are named').min(1).max(20).default(10).example(10), {
        label: 'Most fields',
        help: '',
      }),
      useModel: shown(booleanField(joi, 'Lets the language model name and describe them, where one is set up', true), {
        label: 'Use the language model',
        help: 'It names and describes the fields, if a model is set up.',
      }),
      ...scannedFields(joi),
    }),
  needs: { services: [tokens.languageModel, ...scannedServices], settings: parsingSettings },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'OCR_LANGUAGES_UNKNOWN'],
  examples: [
    {
      title: 'an invoice',
      files: ['invoice.pdf'],
      params: { useModel: false, maxFields: 5 },
      expect: { json: { model: false } },
    },
    {
      title: 'too many fields',
      files: ['invoice.pdf'],
      params: { maxFields: 21 },
      expect: { refused: 'INPUT_INVALID' },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { maxFields, useModel, ...scanned }, ctx) => {
    requireParsing(ctx);
    const { suggestFields, suggestWithModel } = await import('../functions/fields/suggest-schema.js');
    const { evidence, facts } = await readForFields(file, scanned, ctx);
    let fields = suggestFields(evidence, maxFields);
    const asked = await askIfUsable(
      useModel,
      ctx,
      async (model) => void (fields = await suggestWithModel(fields, evidence, maxFields, FIELD_TYPES, model)),
    );
    return ctx.json({ fields, ...asked, ...facts });
  },
});
