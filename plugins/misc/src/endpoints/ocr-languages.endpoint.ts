import { defineEndpoint, tokens } from '@quire/registry';

/** Lists the languages for text recognition (`docs/interface/platform.yml`, ui-data/ocr-pdf). */
export const ocrLanguages = defineEndpoint({
  id: 'listOcrLanguages',
  method: 'GET',
  path: 'ui-data/ocr-pdf',
  since: '0.3.0',
  summary: 'List OCR languages',
  notes:
    'Returns the names that `misc/ocr-pdf` accepts in `languages`: those of the files in `system.tessdataDir`, ' +
    'of the Tesseract program, and of installed language packages.',
  tag: 'misc',
  returns: {
    description: 'Language names',
    json: (joi) =>
      joi
        .object({ languages: joi.array().items(joi.string()).required().example(['deu', 'eng']) })
        .label('OcrLanguages'),
  },
  errors: ['KEY_INVALID', 'TOKEN_INVALID', 'ACCOUNT_DISABLED'],
  handle: async (_request, ctx) => ({ json: { languages: (await ctx.use(tokens.recognizeText).offer()).languages } }),
});
