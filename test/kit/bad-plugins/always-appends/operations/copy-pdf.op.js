import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, run: async (file, params, ctx) => [await ctx.output(file, await file.bytes())] });
