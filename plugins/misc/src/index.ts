import { definePlugin } from '@quire/registry';
import { compressPdf } from './operations/compress-pdf.op.js';
import { repair } from './operations/repair.op.js';

/** Compression and repair. */
export default definePlugin({ operations: [compressPdf, repair] });
