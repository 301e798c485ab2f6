import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  input: 'raw',
  run: async (file, params, ctx) => {
    const bytes = await file.bytes();
    // Blocks its thread as an endless loop does, and leaves the processor to other tests.
    if (bytes.length < 20) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return [await ctx.output(file, bytes)];
  },
});
