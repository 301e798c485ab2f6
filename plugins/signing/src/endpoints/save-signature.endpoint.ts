import { defineEndpoint, type JoiRoot } from '@quire/registry';
import { MAX_URL_LENGTH } from '../functions/signature-image-data.js';
import { signatureImages, type NewSignature } from '../services/signature-images.js';
import { forKeepers, idField, keeperCodes, labelField, recordAnswer } from './signature-fields.js';

/** A data URL of the longest kind, however its slashes are escaped, and everything beside it. */
const MAX_BODY_BYTES = 6 * 1024 * 1024;

/** A stroke of a pen, 24 by 8 pixels. */
const STROKE =
  'data:image/png;base64,' +
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAICAYAAADjoT9jAAAANUlEQVR42mMQ' +
  'kav4j4YZqImxCVLVMkIKKPYdqRpItowS7xPlO2pGKFbLsLmEqpiB2skSHQMARwisVKq0wBIAAAAASUVORK5CYII=';

const words = (joi: JoiRoot) => joi.string().max(1000).allow('').empty(null).default(null);

/** Saves a signature image (`docs/interface/signing.yml`). */
export const saveSignature = defineEndpoint({
  id: 'saveSignature',
  method: 'POST',
  path: 'proprietary/signatures',
  since: '0.2.0',
  summary: 'Save a signature image',
  notes:
    'Saving an existing id replaces it. A user can keep 20 images with 20 000 000 bytes in total and at most 2 ' +
    '000 000 each; the data URL counts as 0.75 bytes a character, and replacing an id counts as one more. The ' +
    'image is decoded and re-encoded. A `dataUrl` that is not a `data:image/` URL saves a record without an ' +
    'image, which is not listed.',
  tag: 'signatures',
  access: forKeepers,
  request: {
    maxBytes: MAX_BODY_BYTES,
    payload: (joi) =>
      joi
        .object({
          id: idField(joi),
          label: labelField(joi).allow('').empty(null).default(null),
          type: joi
            .string()
            .max(100)
            .allow('')
            .empty(null)
            .default(null)
            .description('canvas, image or text; not checked')
            .example('canvas'),
          scope: joi
            .string()
            .valid('personal', 'shared')
            .empty(null)
            .default('personal')
            .description('`shared` shows it to everybody; for administrators'),
          dataUrl: joi.string().max(MAX_URL_LENGTH).required().description('data:image/<png|jpg|jpeg>;base64,…'),
          signerName: words(joi).description('Of a typed signature'),
          fontFamily: words(joi).description('Of a typed signature'),
          fontSize: joi.number().integer().empty(null).default(null).description('Of a typed signature'),
          textColor: words(joi).description('Of a typed signature'),
        })
        .example({ id: 'my-signature', label: 'Short', type: 'canvas', scope: 'personal', dataUrl: STROKE }),
  },
  returns: {
    description: 'The saved signature',
    json: recordAnswer,
    links: [
      ...['labelSignature', 'deleteSignature'].map((to) => ({ to, parameters: { signatureId: '$response.body#/id' } })),
      { to: 'getSignatureImage', parameters: { fileName: '{$response.body#/id}.png' } },
    ],
  },
  errors: [
    'INPUT_INVALID',
    'INPUT_MALFORMED',
    'INPUT_MEDIA_TYPE',
    'INPUT_TOO_LARGE',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
    'SIGNATURES_FULL',
    'SHARED_ADMIN_ONLY',
    ...keeperCodes,
  ],
  // The schema above is the shape of `NewSignature`.
  handle: async ({ payload, principal }, ctx) => ({
    json: await ctx.use(signatureImages).save(principal, payload as unknown as NewSignature),
  }),
});
