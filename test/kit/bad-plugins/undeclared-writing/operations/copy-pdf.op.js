import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

const { writes, ...rest } = declaration;
export const copyPdf = defineOperation(rest);
