import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, returns: { ...declaration.returns, pages: (counts) => counts[0] + 1 } });
