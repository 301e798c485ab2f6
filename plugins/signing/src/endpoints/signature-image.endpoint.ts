import { createHash } from 'node:crypto';
import { defineEndpoint } from '@quire/registry';
import { imageFileName } from '../functions/signature-image-names.js';
import { signatureImages } from '../services/signature-images.js';

export const signatureImage = defineEndpoint({
  id: 'getSignatureImage',
  method: 'GET',
  path: 'general/signatures/{fileName}',
  since: '0.2.0',
  summary: 'Get the image of a saved signature',
  notes:
    "The caller's own, else that of all users; without login, that of all users. A record that is not a PNG " +
    'or JPEG by its content, was cut short or is too large is not there.',
  tag: 'signatures',
  request: {
    params: (joi) =>
      joi.object({
        fileName: joi
          .string()
          .pattern(imageFileName, 'letters, digits, underscore, hyphen and dot')
          .required()
          .description('<id>.<png|jpg|jpeg>')
          .example('my-signature.png'),
      }),
  },
  returns: {
    description: 'The image: image/png or image/jpeg, as its content is',
    mediaType: ['image/png', 'image/jpeg'],
  },
  errors: ['INPUT_INVALID', 'NOT_FOUND', 'KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED'],
  handle: async ({ params, principal }, ctx) => {
    const fileName = params['fileName'] ?? '';
    const { kind, bytes } = await ctx.use(signatureImages).image(principal, fileName);
    return {
      file: { name: fileName, mediaType: `image/${kind}`, bytes, size: bytes.length, disposition: 'inline' },
      // Kept by this browser alone and asked for again each time: the next to use it may be somebody else, who has
      // another image of this name.
      headers: {
        etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
        'cache-control': 'private, no-cache',
        vary: 'X-API-KEY, Authorization',
      },
    };
  },
});
