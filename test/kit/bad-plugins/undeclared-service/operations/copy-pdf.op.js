import { defineOperation, tokens } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  run: async (file, params, ctx) => {
    ctx.use(tokens.logger).info({}, 'copying');
    return [await ctx.output(file, await file.bytes())];
  },
});
