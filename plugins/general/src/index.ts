import { definePlugin } from '@quire/registry';
import { mergePdfs } from './operations/merge-pdfs.op.js';
import { rearrangePages } from './operations/rearrange-pages.op.js';
import { removePages } from './operations/remove-pages.op.js';
import { rotatePdf } from './operations/rotate-pdf.op.js';
import { splitPages } from './operations/split-pages.op.js';

export default definePlugin({ operations: [rotatePdf, mergePdfs, splitPages, removePages, rearrangePages] });
