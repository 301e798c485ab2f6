import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, run: (file, params, ctx) => declaration.run(file, params, { ...ctx, writing: 'rewrite' }) });
