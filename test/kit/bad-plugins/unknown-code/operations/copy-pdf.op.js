import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, errors: ['PDF_DAMAGED', 'PDF_TOO_BORING'] });
