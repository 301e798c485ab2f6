import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

globalThis.copyQuality = 5;

export const copyPdf = defineOperation(declaration);
