import { defineEndpoint } from '@quire/registry';
import { signatureImages } from '../services/signature-images.js';
import { forKeepers, idField, keeperCodes, labelField } from './signature-fields.js';

export const labelSignature = defineEndpoint({
  id: 'labelSignature',
  method: 'POST',
  path: 'proprietary/signatures/{signatureId}/label',
  since: '0.2.0',
  summary: 'Rename a saved signature',
  notes:
    'An id that all users share is renamed by administrators alone. An image that was copied into the folder ' +
    'has no label.',
  tag: 'signatures',
  access: forKeepers,
  request: {
    params: (joi) => joi.object({ signatureId: idField(joi) }),
    payload: (joi) => joi.object({ label: labelField(joi).pattern(/\S/, 'something other than blanks').required() }),
  },
  returns: { description: 'Renamed', status: 204 },
  errors: [
    'INPUT_INVALID',
    'INPUT_MALFORMED',
    'INPUT_MEDIA_TYPE',
    'INPUT_TOO_LARGE',
    'NOT_FOUND',
    'SHARED_ADMIN_ONLY',
    ...keeperCodes,
  ],
  handle: async ({ params, payload, principal }, ctx) => {
    await ctx.use(signatureImages).relabel(principal, params['signatureId'] ?? '', String(payload['label']));
    return {};
  },
});
