import { defineEndpoint } from '@quire/registry';
import { signatureImages } from '../services/signature-images.js';
import { signFonts } from '../services/sign-fonts.js';

/** Signature images and fonts for the sign tool (`docs/interface/signing.yml`). */
export const signData = defineEndpoint({
  id: 'getSignData',
  method: 'GET',
  path: 'ui-data/sign',
  since: '0.2.0',
  summary: 'List signature images and fonts for the sign tool',
  notes:
    "The caller's own images, then those of all users; without login, those of all users. The fonts are the " +
    'files in `customFiles/static/fonts/`.',
  tag: 'signatures',
  returns: {
    description: 'Images and fonts',
    json: (joi) =>
      joi
        .object({
          signatures: joi
            .array()
            .items(
              joi.object({
                fileName: joi.string().required(),
                category: joi.string().valid('Personal', 'Shared').required(),
              }),
            )
            .required(),
          fonts: joi
            .array()
            .items(
              joi.object({
                name: joi.string().required(),
                extension: joi.string().allow('').required().description('ttf, woff, woff2, eot or svg'),
                type: joi
                  .string()
                  .allow('')
                  .required()
                  .description('truetype, woff, woff2, embedded-opentype, svg, or empty'),
              }),
            )
            .required(),
        })
        .label('SignData'),
  },
  errors: ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED'],
  handle: async ({ principal }, ctx) => ({
    json: { signatures: await ctx.use(signatureImages).files(principal), fonts: await ctx.use(signFonts).list() },
  }),
});
