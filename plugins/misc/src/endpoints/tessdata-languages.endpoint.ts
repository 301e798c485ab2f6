import { defineEndpoint, tokens } from '@quire/registry';
import { tessdataNames } from '../functions/tessdata-names.js';
import { isWritableFolder } from '../services/language-downloads.js';

/** Lists installed and downloadable OCR languages (`docs/interface/platform.yml`, ui-data/tessdata-languages). */
export const tessdataLanguages = defineEndpoint({
  id: 'listTessdataLanguages',
  method: 'GET',
  path: 'ui-data/tessdata-languages',
  since: '0.4.0',
  summary: 'List installed and downloadable OCR languages',
  notes:
    '`available` lists the Tesseract languages that are not installed but can be downloaded; it is empty ' +
    'unless `system.tessdataUrl` names an address. `writable` is true if downloads can be saved.',
  tag: 'misc',
  access: { role: 'admin', area: 'plugins', needsLogin: true },
  returns: {
    description: 'Language names',
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
