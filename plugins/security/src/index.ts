import { definePlugin } from '@quire/registry';
import { addPassword } from './operations/add-password.op.js';
import { addWatermark } from './operations/add-watermark.op.js';
import { autoRedact } from './operations/auto-redact.op.js';
import { getInfoOnPdf } from './operations/get-info-on-pdf.op.js';
import { redact } from './operations/redact.op.js';
import { redactExecute } from './operations/redact-execute.op.js';
import { redactPreview } from './operations/redact-preview.op.js';
import { removePassword } from './operations/remove-password.op.js';
import { sanitizePdf } from './operations/sanitize-pdf.op.js';
import { verifyPdf } from './operations/verify-pdf.op.js';
import { templates } from './templates.js';

/** Passwords, watermarks, redaction, sanitising, document information and checks of standards. */
export default definePlugin({
  categories: [{ id: 'security', title: 'Security and signatures', icon: 'shield', order: 30 }],
  templates,
  operations: [
    addPassword,
    addWatermark,
    autoRedact,
    getInfoOnPdf,
    redact,
    redactExecute,
    redactPreview,
    removePassword,
    sanitizePdf,
    verifyPdf,
  ],
});
