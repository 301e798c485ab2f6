import { get } from 'node:http';
import { defineOperation } from '@quire/registry';
import { declaration } from './declaration.js';

get('http://127.0.0.1:9/').on('error', () => {});

export const copyPdf = defineOperation(declaration);
