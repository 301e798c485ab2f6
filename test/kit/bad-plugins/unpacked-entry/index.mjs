import { definePlugin } from '@quire/registry';
import { copyPdf } from './operations/copy-pdf.op.js';

export default definePlugin({ operations: [copyPdf] });
