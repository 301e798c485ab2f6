import { defineEndpoint, tokens } from '@quire/registry';

/** The languages that text can be recognised in (`docs/interface/platform.yml`, ui-data/ocr-pdf). */
export const ocrLanguages = defineEndpoint({
  id: 'ocrLanguages',
  method: 'GET',
  path: 'ui-data/ocr-pdf',
  since: '0.3.0',
  summary: 'List the languages of text recognition',
  notes:
    'Names as `languages` of `misc/ocr-pdf` takes them: those of the files in `system.tessdataDir`, of the ' +
    'program Tesseract, and of installed language packages.',
  tag: 'misc',
  returns: {
    description: 'Names of the languages',
    json: (joi) =>
      joi
        .object({ languages: joi.array().items(joi.string()).required().example(['deu', 'eng']) })
        .label('OcrLanguages'),
  },
  errors: ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED'],
  handle: async (_request, ctx) => ({ json: { languages: (await ctx.use(tokens.recognizeText).offer()).languages } }),
});
