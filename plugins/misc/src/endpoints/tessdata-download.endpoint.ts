import { AccessError, defineEndpoint, type JoiRoot, OperationalError, tokens } from '@quire/registry';
import { isTessdataName } from '../functions/tessdata-names.js';
import { downloadLanguages, isWritableFolder } from '../services/language-downloads.js';

/** Maximum number of languages per call. */
const MAX_LANGUAGES = 50;

const downloads = (joi: JoiRoot) =>
  joi
    .object({
      downloaded: joi.array().items(joi.string()).required(),
      failed: joi.array().items(joi.string()).required(),
      tessdataDir: joi.string().required(),
    })
    .label('TessdataDownloaded');

/** Downloads OCR languages from the operator's address (`docs/interface/platform.yml`, ui-data/tessdata/download). */
export const tessdataDownload = defineEndpoint({
  id: 'downloadTessdata',
  method: 'POST',
  path: 'ui-data/tessdata/download',
  since: '0.4.0',
  summary: 'Download OCR languages',
  notes:
    'Downloads `<system.tessdataUrl>/<language>.traineddata` into `system.tessdataDir`, replacing existing ' +
    'files; the languages can be used at once. Returns 207 if some languages could not be downloaded, 502 if ' +
    'none could, and 503 if no address is set.',
  tag: 'misc',
  access: { role: 'admin', area: 'plugins', needsLogin: true },
  request: {
    payload: (joi) =>
      joi.object({
        languages: joi
          .array()
          .required()
          .min(1)
          .max(MAX_LANGUAGES)
          .unique()
          .description('Language names such as eng or chi_sim')
          .example(['fra'])
          .items(
            joi
              .string()
              .max(100)
              .custom((name: string, helpers) =>
                isTessdataName(name)
                  ? name
                  : helpers.message({ custom: '{#label} is not a language name such as eng or chi_sim' }),
              ),
          ),
      }),
  },
  returns: {
    description: 'All languages were downloaded',
    json: downloads,
    also: { 207: { description: 'Some languages were downloaded', json: downloads } },
  },
  errors: [
    'KEY_INVALID',
    'LOGIN_REQUIRED',
    'ADMIN_ONLY',
    'INPUT_INVALID',
    'SERVICE_NOT_SET_UP',
    'LANGUAGE_FOLDER_CLOSED',
    'LANGUAGE_DATA_MISSED',
  ],
  handle: async ({ payload, signal }, ctx) => {
    const languages = payload['languages'] as readonly string[];
    const address = ctx.use(tokens.settings).get<string>('system.tessdataUrl');
    if (address === '')
      throw new OperationalError('SERVICE_NOT_SET_UP', {
        service: 'Downloading OCR languages',
        detail: 'the setting system.tessdataUrl names no address',
      });
    const { ownFolder: folder } = await ctx.use(tokens.recognizeText).offer();
    if (folder === undefined || !(await isWritableFolder(folder))) throw new AccessError('LANGUAGE_FOLDER_CLOSED');
    const { downloaded, failed } = await downloadLanguages({
      languages,
      address,
      folder,
      outbound: ctx.use(tokens.outbound),
      signal,
    });
    if (downloaded.length === 0) {
      const detail = [...failed].map(([language, fault]) => `${language}: ${fault}`).join('; ');
      throw new OperationalError('LANGUAGE_DATA_MISSED', { detail, languages: [...failed.keys()].join(', '), folder });
    }
    return {
      ...(failed.size > 0 ? { status: 207 } : {}),
      json: { downloaded, failed: [...failed.keys()], tessdataDir: folder },
    };
  },
});
