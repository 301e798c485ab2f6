import { appendFile } from 'node:fs/promises';
import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    await appendFile(file.path(), '% seen');
    return [await ctx.output(file, bytes)];
  },
});
