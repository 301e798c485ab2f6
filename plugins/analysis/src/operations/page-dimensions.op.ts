import { defineOperation } from '@quire/registry';

export const pageDimensions = defineOperation<object>({
  path: 'analysis/page-dimensions',
  name: 'getPageDimensions',
  since: '0.1.0',
  summary: 'Report the size of every page',
  title: 'Measure pages',
  icon: 'ruler',
  order: 40,
  keywords: ['page size', 'width', 'height'],
  notes:
    'The size of the crop box within the media box, in page units: rotation and `UserUnit` are not applied. ' +
    'Numbers have single precision.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi
        .array()
        .items(
          joi.object({
            width: joi.number().required().description('Points').example(595.276),
            height: joi.number().required().description('Points').example(841.89),
          }),
        )
        .description('One for each page, in order'),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'inherited, cropped and turned pages',
      files: ['sizes.pdf'],
      params: {},
      expect: { json: { 0: { width: 595.276, height: 841.89 }, 1: { width: 200, height: 100.5 } } },
    },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { pageSizes }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/page-sizes.js'),
    ]);
    return ctx.json(await look(file.path(), pageSizes));
  },
});
