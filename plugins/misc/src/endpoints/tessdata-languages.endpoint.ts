import { defineEndpoint, tokens } from '@quire/registry';
import { tessdataNames } from '../functions/tessdata-names.js';
import { isWritableFolder } from '../services/language-downloads.js';

/**
 * The OCR languages that are there, and those that could be had (`docs/interface/platform.yml`,
 * ui-data/tessdata-languages).
 */
export const tessdataLanguages = defineEndpoint({
  id: 'tessdataLanguages',
  method: 'GET',
  path: 'ui-data/tessdata-languages',
  since: '0.4.0',
  summary: 'List OCR languages that are installed and that could be',
  notes:
    '`available`: languages of Tesseract that are not installed, while `system.tessdataUrl` names an address ' +
    'to get them from; else none. `writable`: downloads can be kept.',
  tag: 'misc',
  access: { role: 'admin', needsLogin: true },
  returns: {
    description: 'Names of the languages',
    json: (joi) =>
      joi
        .object({
          installed: joi.array().items(joi.string()).required().example(['deu', 'eng']),
          available: joi.array().items(joi.string()).required().example(['fra']),
          writable: joi.boolean().required(),
        })
        .label('TessdataLanguages'),
  },
  errors: ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY'],
  handle: async (_request, ctx) => {
    const { languages, ownFolder } = await ctx.use(tokens.recognizeText).offer();
    const address = ctx.use(tokens.settings).get<string>('system.tessdataUrl');
    return {
      json: {
        installed: languages,
        available: address === '' ? [] : tessdataNames.filter((name) => !languages.includes(name)),
        writable: ownFolder !== undefined && (await isWritableFolder(ownFolder)),
      },
    };
  },
});
