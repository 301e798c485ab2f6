import { defineOperation, shown } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  params: (joi) => joi.object({
    quality: shown(joi.number().integer().min(1).max(9).default(5).description('Care taken, from 1 to 9'), { element: 'acme-dial' }),
  }),
});
