import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, summary: 'Copies a PDF into another PDF which then is a copy of the first one.' });
