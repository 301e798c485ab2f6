import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  params: (joi) => joi.object({
    quality: joi.number().integer().min(1).max(9).default(5).description('Care'),
    reason: joi.string().when('quality', { is: 9, then: joi.required() }).description('Why so careful'),
  }),
});
