import { type Comparator, comparatorField, compares, defineOperation, integerField, shown } from '@quire/registry';

interface FilterPageRotationParams {
  rotation: number;
  comparator: Comparator;
}

/** Keeps a PDF whose first page's rotation compares with the given one as asked, and drops every other. */
export const filterPageRotation = defineOperation<FilterPageRotationParams>({
  path: 'filter/filter-page-rotation',
  since: '0.1.0',
  summary: 'Keep a PDF by the rotation of its first page',
  title: 'Filter by rotation',
  icon: 'rotate-cw',
  order: 60,
  keywords: ['orientation', 'condition'],
  notes:
    "The page's rotation is 0, 90, 180 or 270 degrees clockwise; the given value is compared as it is, so 450 " +
    'equals none.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterPageRotationParams, true>({
      rotation: shown(integerField(joi, 'Rotation in degrees to compare with').default(0).example(90), {
        help: '',
        order: 1,
        unit: '°',
      }),
      comparator: comparatorField(joi),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a page turned by an inherited rotation',
      files: ['landscape-rotated.pdf'],
      params: { rotation: 90, comparator: 'Equal' },
      expect: { pages: [1] },
    },
    {
      title: 'an upright page',
      files: ['three-pages.pdf'],
      params: { rotation: 0, comparator: 'Greater' },
      expect: { dropped: true },
    },
  ],
  run: async (file, { rotation, comparator }, ctx) => {
    const { firstPageRotation } = await import('../functions/page-facts.js');
    return compares(await firstPageRotation(file.path()), comparator, rotation) ? [ctx.keep(file)] : [];
  },
});
