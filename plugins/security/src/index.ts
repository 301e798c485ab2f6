import { definePlugin } from '@quire/registry';
import { addWatermark } from './operations/add-watermark.op.js';
import { verifyPdf } from './operations/verify-pdf.op.js';

/** Watermarks. */
export default definePlugin({ operations: [addWatermark, verifyPdf] });
