import { defineOperation, pageNumbersField, selectPages, shown } from '@quire/registry';
import { noneWhenOutOfRange } from '../functions/chosen-pages.js';

interface FilterContainsImageParams {
  pageNumbers: string;
}

/** Keeps a PDF that has an image on one of the chosen pages, and drops every other. */
export const filterContainsImage = defineOperation<FilterContainsImageParams>({
  path: 'filter/filter-contains-image',
  since: '0.1.0',
  summary: 'Keep a PDF that contains an image',
  title: 'Filter by images',
  icon: 'image',
  order: 20,
  keywords: ['picture', 'photo', 'condition'],
  notes:
    "Image objects among a page's resources count, also inside forms, drawn or not. Inline images and images " +
    'of annotations do not.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', mayDrop: true, pages: 'any' },
  params: (joi) =>
    joi.object<FilterContainsImageParams, true>({
      pageNumbers: shown(
        pageNumbersField(joi, 'Pages to look at: numbers, ranges and formulas in n, separated by commas, or all'),
        { label: 'Pages to look at' },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'PAGES_INVALID'],
  examples: [
    { title: 'an image on the second page', files: ['image-on-second.pdf'], params: {}, expect: { pages: [2] } },
    {
      title: 'none on the first page',
      files: ['image-on-second.pdf'],
      params: { pageNumbers: '1' },
      expect: { dropped: true },
    },
  ],
  run: async (file, { pageNumbers }, ctx) => {
    const { containsImage } = await import('@quire/document/content/text');
    const choose = noneWhenOutOfRange((pageCount) => selectPages(pageNumbers, pageCount));
    return (await containsImage(await file.bytes(), choose)) ? [ctx.keep(file)] : [];
  },
});
