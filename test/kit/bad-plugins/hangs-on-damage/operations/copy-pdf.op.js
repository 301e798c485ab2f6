import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  input: 'raw',
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    while (bytes.length < 600);
    return [await ctx.output(file, bytes)];
  },
});
