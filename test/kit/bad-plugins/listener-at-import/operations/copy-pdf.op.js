import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

process.on('uncaughtException', () => {});

export const copyPdf = defineOperation(declaration);
