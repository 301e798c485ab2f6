import { defineOperation, tokens } from '@quire/registry';

/** Removes signature fields from a PDF (`docs/interface/security.yml`, remove-cert-sign). */
export const removeCertSign = defineOperation<Record<never, never>>({
  path: 'security/remove-cert-sign',
  name: 'removeSignatures',
  since: '0.1.0',
  summary: 'Remove digital signatures',
  title: 'Remove signatures',
  icon: 'eraser',
  order: 100,
  keywords: ['unsign', 'delete signature', 'digital signature'],
  notes:
    'Signature fields go and what a visible one shows stays on the page. A PDF without signatures is answered too.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_unsigned', pages: 'same' },
  writes: 'rewrite',
  signedInput: 'allowed',
  params: (joi) => joi.object({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a visible signature',
      files: ['signed.pdf'],
      params: {},
      expect: { pages: [1], names: ['signed_unsigned.pdf'] },
    },
    { title: 'a document without signatures', files: ['plain.pdf'], params: {}, expect: { pages: [1] } },
    { title: 'a damaged document', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { removeSignatureFields }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/remove-signature-fields.js'),
    ]);
    const target = `${await ctx.folder()}/unsigned.pdf`;
    const removed = await editFile(
      file.path(),
      target,
      { mode: 'rewrite', modified: ctx.use(tokens.clock).now() },
      removeSignatureFields,
    );
    ctx.report({ signaturesRemoved: removed });
    return [await ctx.adopt(file, target)];
  },
});
