import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  params: (joi) => joi.object({
    quality: joi.number().integer().default(5).description('Care taken, from 1 to 9'),
  }).custom((value, helpers) => (value.quality < 1 ? helpers.error('any.invalid') : value)),
});
