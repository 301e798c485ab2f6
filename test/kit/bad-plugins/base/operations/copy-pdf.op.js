import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

/** Copies a PDF. */
export const copyPdf = defineOperation(declaration);
