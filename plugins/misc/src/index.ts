import { definePlugin } from '@quire/registry';
import { addPageNumbers } from './operations/add-page-numbers.op.js';
import { addStamp } from './operations/add-stamp.op.js';
import { compressPdf } from './operations/compress-pdf.op.js';
import { repair } from './operations/repair.op.js';

/** Compression and repair. */
export default definePlugin({ operations: [addPageNumbers, addStamp, compressPdf, repair] });
