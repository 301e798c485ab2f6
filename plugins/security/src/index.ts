import { definePlugin } from '@quire/registry';
import { addPassword } from './operations/add-password.op.js';
import { addWatermark } from './operations/add-watermark.op.js';
import { getInfoOnPdf } from './operations/get-info-on-pdf.op.js';
import { removePassword } from './operations/remove-password.op.js';
import { verifyPdf } from './operations/verify-pdf.op.js';

/** Watermarks. */
export default definePlugin({ operations: [addPassword, addWatermark, getInfoOnPdf, removePassword, verifyPdf] });
