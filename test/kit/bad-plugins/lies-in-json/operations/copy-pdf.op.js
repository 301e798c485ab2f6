import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

const { writes, ...rest } = declaration;

export const copyPdf = defineOperation({
  ...rest,
  returns: { json: (joi) => joi.object({ pages: joi.array().items(joi.object({ width: joi.number().required() })), title: joi.string().required() }) },
  examples: [{ title: 'plain', files: ['two-pages.pdf'], params: { quality: 3 }, expect: {} }],
  run: async (file, params, ctx) => ctx.json({ pages: [{ width: '612' }], quality: params.quality }),
});
