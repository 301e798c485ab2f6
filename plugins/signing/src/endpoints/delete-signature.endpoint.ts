import { defineEndpoint } from '@quire/registry';
import { signatureImages } from '../services/signature-images.js';
import { forKeepers, idField, keeperCodes } from './signature-fields.js';

/** Deletes a saved signature (`docs/interface/signing.yml`). */
export const deleteSignature = defineEndpoint({
  id: 'deleteSignature',
  method: 'DELETE',
  path: 'proprietary/signatures/{signatureId}',
  since: '0.2.0',
  summary: 'Delete a saved signature',
  notes: "Deletes the caller's own signature; if there is none, an administrator deletes the shared one.",
  tag: 'signatures',
  access: forKeepers,
  request: { params: (joi) => joi.object({ signatureId: idField(joi) }) },
  returns: { description: 'Deleted', status: 204 },
  errors: ['INPUT_INVALID', 'NOT_FOUND', ...keeperCodes],
  handle: async ({ params, principal }, ctx) => {
    await ctx.use(signatureImages).remove(principal, params['signatureId'] ?? '');
    return {};
  },
});
