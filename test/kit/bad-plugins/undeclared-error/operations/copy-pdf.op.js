import { InputError, defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({
  ...declaration,
  run: async () => {
    throw new InputError('PAGES_INVALID', { field: 'quality', found: '3' });
  },
});
