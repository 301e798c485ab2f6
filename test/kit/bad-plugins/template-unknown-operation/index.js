import { definePlugin } from '@quire/registry';
import { copyPdf } from './operations/copy-pdf.op.js';

const copies = {
  id: 'copies',
  title: 'Copies',
  summary: 'Copy a document',
  icon: 'copy',
  steps: [{ operation: 'misc/copy-pfd', parameters: {} }],
};

export default definePlugin({ operations: [copyPdf], templates: [copies] });
