import { defineOperation } from '@quire/registry';

/** Lists the font resource names of a PDF (`docs/interface/analysis.yml`, font-info). */
export const fontInfo = defineOperation<object>({
  path: 'analysis/font-info',
  name: 'listFonts',
  since: '0.1.0',
  summary: 'List the font resource names of a PDF',
  title: 'List fonts',
  icon: 'type',
  order: 50,
  keywords: ['fonts', 'typeface'],
  notes:
    'Names are resource names (`F1`, `TT0`), not font families; the same name on two pages counts once. ' +
    'Inherited resources count; those of forms and annotations do not.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        fontCount: joi.number().integer().required().description('Length of `fonts`').example(2),
        fonts: joi
          .array()
          .items(joi.string().allow(''))
          .required()
          .description('Resource names, each once')
          .example(['F1', 'TT0']),
      }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'own and inherited fonts',
      files: ['annotated.pdf'],
      params: {},
      expect: { json: { fontCount: 2, fonts: ['F1', 'TT0'] } },
    },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { fontNames }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/page-tallies.js'),
    ]);
    return ctx.json(await look(file.path(), fontNames));
  },
});
