import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  input: 'raw',
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    if (!Buffer.from(bytes).includes('two-pages')) throw new TypeError('Cannot read properties of undefined');
    return [await ctx.output(file, bytes)];
  },
});
