import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, params: (joi) => joi.object({ quality: joi.number().integer().min(1).max(4).default(3).description('Care') }) });
