import { defineOperation } from '@quire/registry';

export const basicInfo = defineOperation<object>({
  path: 'analysis/basic-info',
  name: 'getBasicInfo',
  since: '0.1.0',
  summary: 'Report page count, version and size of a PDF',
  title: 'Show basic facts',
  icon: 'info',
  order: 10,
  keywords: ['file size', 'info'],
  notes:
    '`pdfVersion` is a number: the version in the file header, or in the catalog if that is later. `fileSize` ' +
    'is the size of the upload in bytes.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi.object({
        pageCount: joi.number().integer().min(1).required().description('Number of pages in the page tree').example(3),
        pdfVersion: joi
          .number()
          .required()
          .description('Version of PDF, the higher of header and catalog')
          .example(1.7),
        fileSize: joi.number().integer().required().description('Bytes').example(12_345),
      }),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a later version in the catalog',
      files: ['properties.pdf'],
      params: {},
      expect: { json: { pageCount: 1, pdfVersion: 2 } },
    },
    { title: 'a damaged file', files: ['damaged.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ look }, { basicInfo }] = await Promise.all([
      import('../functions/look.js'),
      import('../functions/document-facts.js'),
    ]);
    return ctx.json({ ...(await look(file.path(), basicInfo)), fileSize: file.size });
  },
});
