import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  params: (joi) => joi.object({
    quality: joi.number().integer().min(1).max(9).default(5).description('Care taken, from 1 to 9'),
    howCarefullyThePagesOfThePdfShouldBeCopied: joi.string().max(9).description('Care in words'),
  }),
});
