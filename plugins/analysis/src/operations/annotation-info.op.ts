import { defineOperation } from '@quire/registry';

/** Counts the annotations of a PDF by kind (`docs/interface/analysis.yml`, annotation-info). */
export const annotationInfo = defineOperation<object>({
  path: 'analysis/annotation-info',
  name: 'countAnnotations',
  since: '0.1.0',
  summary: 'Count annotations by type',
  title: 'Count annotations',
  icon: 'message-square',
  order: 70,
  keywords: ['comments', 'notes', 'links'],
  notes:
    'All annotations of all pages are counted, form widgets and pop-ups among them. Keys are names of the ' +
    'standard (`Link`, `Text`, `Widget`, `Highlight`); annotations that do not say what they are count as ' +
    '`Unknown`.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        totalCount: joi.number().integer().required().description('Annotations of all pages').example(3),
        typeBreakdown: joi
          .object()
          .pattern(joi.string().allow(''), joi.number().integer())
          .required()
          .description('Count by `/Subtype`; empty if there are none')
          .example({ Link: 2, Text: 1 }),
      }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'links and a note',
      files: ['annotated.pdf'],
      params: {},
      expect: { json: { totalCount: 6, typeBreakdown: { Link: 3, Text: 1, Popup: 1, Unknown: 1 } } },
    },
    { title: 'none', files: ['sizes.pdf'], params: {}, expect: { json: { totalCount: 0, typeBreakdown: {} } } },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { countAnnotations }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/page-tallies.js'),
    ]);
    return ctx.json(await look(file.path(), countAnnotations));
  },
});
