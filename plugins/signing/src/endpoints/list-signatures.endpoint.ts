import { defineEndpoint } from '@quire/registry';
import { signatureImages } from '../services/signature-images.js';
import { forKeepers, keeperCodes, recordAnswer } from './signature-fields.js';

/** Lists the signatures that the caller may use (`docs/interface/signing.yml`). */
export const listSignatures = defineEndpoint({
  id: 'listSignatures',
  method: 'GET',
  path: 'proprietary/signatures',
  since: '0.2.0',
  summary: 'List the saved signatures',
  notes:
    'Those of the caller, then those of all users. An image that was copied into the folder counts as one of ' +
    'the type `image`, with its file name as label.',
  tag: 'signatures',
  access: forKeepers,
  returns: { description: 'One for each image', json: (joi) => joi.array().items(recordAnswer(joi)) },
  errors: [...keeperCodes],
  handle: async ({ principal }, ctx) => ({ json: await ctx.use(signatureImages).list(principal) }),
});
