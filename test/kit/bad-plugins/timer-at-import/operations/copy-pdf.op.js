import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

setInterval(() => {}, 60_000);

export const copyPdf = defineOperation(declaration);
