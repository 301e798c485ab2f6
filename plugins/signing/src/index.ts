import { definePlugin } from '@quire/registry';
import { certSign } from './operations/cert-sign.op.js';
import { removeCertSign } from './operations/remove-cert-sign.op.js';
import { timestampPdf } from './operations/timestamp-pdf.op.js';
import { validateSignature } from './operations/validate-signature.op.js';

/** Signatures and time stamps of documents. */
export default definePlugin({ operations: [certSign, removeCertSign, timestampPdf, validateSignature] });
