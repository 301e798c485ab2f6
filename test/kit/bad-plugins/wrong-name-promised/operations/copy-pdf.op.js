import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

export const copyPdf = defineOperation({ ...declaration, examples: [{ ...declaration.examples[0], expect: { names: ['other.pdf'] } }] });
