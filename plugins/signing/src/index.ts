import { definePlugin, tokens } from '@quire/registry';
import { deleteSignature } from './endpoints/delete-signature.endpoint.js';
import {
  hardwareCapabilities,
  hardwarePkcs11Certificates,
  hardwareWindowsCertificates,
} from './endpoints/hardware-signing.endpoint.js';
import { labelSignature } from './endpoints/label-signature.endpoint.js';
import { listSignatures } from './endpoints/list-signatures.endpoint.js';
import { saveSignature } from './endpoints/save-signature.endpoint.js';
import { signData } from './endpoints/sign-data.endpoint.js';
import { signatureImage } from './endpoints/signature-image.endpoint.js';
import { certSign } from './operations/cert-sign.op.js';
import { removeCertSign } from './operations/remove-cert-sign.op.js';
import { timestampPdf } from './operations/timestamp-pdf.op.js';
import { validateSignature } from './operations/validate-signature.op.js';
import { FolderSignFonts, signFonts } from './services/sign-fonts.js';
import { FolderSignatureImages, signatureImages } from './services/signature-images.js';

/** Signatures and time stamps of documents, and saved signature images. */
export default definePlugin({
  operations: [certSign, removeCertSign, timestampPdf, validateSignature],
  endpoints: [
    saveSignature,
    listSignatures,
    labelSignature,
    deleteSignature,
    signatureImage,
    signData,
    hardwareCapabilities,
    hardwareWindowsCertificates,
    hardwarePkcs11Certificates,
  ],
  services: [
    {
      token: signatureImages,
      create: (ctx) =>
        new FolderSignatureImages({
          customFiles: ctx.use(tokens.paths).customFiles,
          clock: ctx.use(tokens.clock),
          log: ctx.log,
          shared: ctx.use(tokens.sharedFiles),
        }),
    },
    { token: signFonts, create: (ctx) => new FolderSignFonts(ctx.use(tokens.paths).customFiles) },
  ],
  start: async (ctx) => ctx.use(tokens.userNames).onFreed((name, now) => ctx.use(signatureImages).nameFreed(name, now)),
});
