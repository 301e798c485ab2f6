import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    const copy = bytes.slice();
    bytes.fill(0, 20, 40);
    return [await ctx.output(file, copy)];
  },
});
