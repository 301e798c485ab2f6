import { type Comparator, comparatorField, compares, defineOperation, shown } from '@quire/registry';
import { type StandardSize, standardArea, standardSizes } from '../functions/standard-sizes.js';

interface FilterPageSizeParams {
  standardPageSize: StandardSize;
  comparator: Comparator;
}

/** Keeps a PDF whose first page compares in area with a standard size as asked, and drops every other. */
export const filterPageSize = defineOperation<FilterPageSizeParams>({
  path: 'filter/filter-page-size',
  since: '0.1.0',
  summary: 'Keep a PDF by the size of its first page',
  title: 'Filter by page size',
  icon: 'ruler',
  order: 40,
  keywords: ['a4', 'letter', 'paper size', 'condition'],
  notes:
    'Areas are compared (width times height of the media box), so portrait and landscape are alike. Areas ' +
    'within 0.4 percent of the standard are equal to it.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterPageSizeParams, true>({
      standardPageSize: shown(
        joi
          .string()
          .uppercase()
          .valid(...standardSizes)
          .empty('')
          .default('A4')
          .description('Standard size to compare with, in any case')
          .example('A4'),
        { label: 'Paper size', help: '', order: 1, options: { LETTER: 'Letter', LEGAL: 'Legal' } },
      ),
      comparator: comparatorField(joi),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'A4 in landscape equals A4',
      files: ['landscape-rotated.pdf'],
      params: { standardPageSize: 'A4', comparator: 'Equal' },
      expect: { pages: [1] },
    },
    {
      title: 'A4 is not smaller than A5',
      files: ['landscape-rotated.pdf'],
      params: { standardPageSize: 'A5', comparator: 'Less' },
      expect: { dropped: true },
    },
  ],
  run: async (file, { standardPageSize, comparator }, ctx) => {
    const { firstPageArea } = await import('../functions/page-facts.js');
    const { area, tolerance } = standardArea(standardPageSize);
    return compares(await firstPageArea(file.path()), comparator, area, tolerance) ? [ctx.keep(file)] : [];
  },
});
