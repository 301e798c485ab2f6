import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  params: (joi) => joi.object({ labels: joi.string().default('[]').description('JSON array of labels') }),
  examples: [{ title: 'plain', files: ['two-pages.pdf'], params: { labels: '["a"]' }, expect: { pages: [2] } }],
  run: async (file, { labels }, ctx) => {
    JSON.parse(labels);
    return [await ctx.output(file, await file.bytes())];
  },
});
