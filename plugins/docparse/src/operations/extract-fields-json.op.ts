import { defineOperation } from '@quire/registry';
import {
  type ExtractFieldsParams,
  extracted,
  extractionErrors,
  extractionNeeds,
  extractionNotes,
  extractionParams,
  modelEffects,
} from './fields-run.js';
import { scannedAnswer } from './read-for-fields.js';

export const extractFieldsJson = defineOperation<ExtractFieldsParams>({
  path: 'docparse/extract-fields/json',
  name: 'extractFieldsAsJson',
  since: '0.2.0',
  summary: 'Extract typed fields of a PDF as JSON',
  title: 'Extract fields as JSON',
  icon: 'braces',
  order: 10,
  keywords: ['invoice', 'data extraction', 'key value', 'receipt'],
  notes: extractionNotes,
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        pages: joi.number().integer().required().description('Pages of the document'),
        fields: joi
          .array()
          .items(
            joi.object({
              name: joi.string().required(),
              type: joi.string().required(),
              found: joi.boolean().required(),
              value: joi.any().required().description('Value of the requested type; null if nothing was found'),
              confidence: joi.number().min(0).max(1).required(),
              source: joi.string().valid('form', 'label', 'table', 'pattern', 'type', 'model'),
              page: joi.number().integer(),
              quotation: joi.string(),
              box: joi.array().items(joi.number()).length(4),
            }),
          )
          .required(),
        missing: joi.array().items(joi.string()).required().description('Required fields that were not found'),
        model: joi.boolean().required().description('A language model was used'),
        modelFault: joi.string().description('Error code if the model failed'),
        ...scannedAnswer(joi),
        truncated: joi.boolean().description('The document has more pages than were read'),
      }),
  },
  effects: modelEffects,
  params: extractionParams,
  needs: extractionNeeds,
  limits: { timeoutMs: 600_000 },
  errors: extractionErrors,
  examples: [
    {
      title: 'an invoice',
      files: ['invoice.pdf'],
      params: { fields: '[{"name":"invoiceNumber"},{"name":"total","type":"currency"}]' },
      expect: { json: { missing: [], pages: 2 } },
    },
    {
      title: 'an invalid pattern',
      files: ['invoice.pdf'],
      params: { fields: '[{"name":"a","pattern":"("}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a damaged file',
      files: ['header-only.pdf'],
      params: { fields: '[{"name":"a"}]' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, params, ctx) => ctx.json(await extracted(file, params, ctx)),
});
