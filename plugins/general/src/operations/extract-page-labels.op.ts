import { defineOperation } from '@quire/registry';
import { labelStyles } from '../functions/label-data.js';

/** Lists the ranges of page labels. */
export const extractPageLabels = defineOperation<object>({
  path: 'general/extract-page-labels',
  since: '0.3.0',
  summary: 'Get the page labels of a PDF as JSON',
  title: 'List page labels',
  icon: 'list-ordered',
  order: 194,
  keywords: ['page numbering', 'roman numerals', 'front matter', 'numbers'],
  notes:
    'Page labels are the numbers that viewers show for pages, such as iv or A-3. A range ends where the next one ' +
    'begins: its first page has the number `start`, and each label is `prefix` followed by the number in `style`. ' +
    'A document without page labels, whose pages viewers number 1, 2, 3, returns an empty list. ' +
    '`general/edit-page-labels` accepts the same format.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    json: (joi) =>
      joi
        .array()
        .items(
          joi
            .object({
              pageNumber: joi
                .number()
                .integer()
                .min(1)
                .required()
                .description('First page of the range, counted from 1')
                .example(1),
              style: joi
                .string()
                .valid(...Object.keys(labelStyles))
                .required()
                .description('How its pages are numbered; `none` shows the prefix alone')
                .example('romanLower'),
              prefix: joi.string().allow('').required().description('Text before each number').example('A-'),
              start: joi.number().integer().required().description('Number of its first page').example(1),
            })
            .label('PageLabelRange'),
        )
        .description('The ranges in the order of their pages; empty if there are none'),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a cover before numbered pages',
      files: ['handbook.pdf'],
      params: {},
      expect: { json: { 0: { pageNumber: 1, style: 'romanLower', prefix: '', start: 1 } } },
    },
    { title: 'no labels', files: ['two-pages.pdf'], params: {}, expect: { json: { length: 0 } } },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ guardDocument, withPdf }, { labelRanges }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/page-labels.js'),
    ]);
    return ctx.json(
      await withPdf({ path: file.path() }, { repair: false }, (opened) =>
        guardDocument('fileInput', () => labelRanges(opened)),
      ),
    );
  },
});
